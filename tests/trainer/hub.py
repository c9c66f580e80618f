"""A hub on this machine: as much of the Hugging Face Hub's HTTP interface as it takes to
load a model and a data set by their ids, over folders.

It answers what huggingface_hub asks: what a repository holds, and its files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

COMMIT: Final = "0123456789abcdef0123456789abcdef01234567"
"""The one commit of every repository."""

# What was asked for, "GET /api/datasets/org/name", in order.
Asked = list[str]


def _file(folder: Path, path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    return {
        "type": "file",
        "path": path.relative_to(folder).as_posix(),
        "oid": hashlib.sha1(content, usedforsecurity=False).hexdigest(),
        "size": len(content),
    }


def _files(folder: Path) -> list[dict[str, Any]]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return [_file(folder, path) for path in found]


def _about(name: str, folder: Path) -> dict[str, Any]:
    return {
        "_id": "0",
        "id": name,
        "sha": COMMIT,
        "private": False,
        "gated": False,
        "disabled": False,
        "tags": [],
        "siblings": [{"rfilename": each["path"]} for each in _files(folder)],
    }


class _Server(ThreadingHTTPServer):
    """The repositories, and what has been asked of them."""

    def __init__(self, repositories: Mapping[str, Path]) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.repositories = repositories
        self.asked: Asked = []


class _Answer(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self._path()
        if path.startswith("/api/"):
            self._listing(path.removeprefix("/api/"))
        else:
            self._content(path.removeprefix("/"))

    do_HEAD = do_GET  # noqa: N815 (the library calls it so)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        kind, org, name, what, *_ = self._path().removeprefix("/api/").split("/")
        folder = self._folder(kind, org, name)
        if folder is None or what != "paths-info":
            self._missing("RepoNotFound")
            return
        wanted = json.loads(body) if body[:1] == "{" else parse_qs(body)
        self._send([each for each in _files(folder) if each["path"] in wanted["paths"]])

    def log_message(self, *_: object) -> None:
        pass

    def _path(self) -> str:
        path = unquote(urlsplit(self.path).path)
        self.server.asked.append(f"{self.command} {path}")
        return path

    def _folder(self, kind: str, org: str, name: str) -> Path | None:
        return self.server.repositories.get(f"{kind}/{org}/{name}")

    def _listing(self, path: str) -> None:
        kind, org, name, *rest = path.split("/")
        folder = self._folder(kind, org, name)
        if folder is None:
            self._missing("RepoNotFound")
        elif rest[:1] == ["tree"]:
            below = "/".join(rest[2:])
            held = [each for each in _files(folder) if each["path"].startswith(below)]
            self._send(held)
        else:
            self._send(_about(f"{org}/{name}", folder))

    def _content(self, path: str) -> None:
        kind = "datasets" if path.startswith("datasets/") else "models"
        org, name, _, _, *file = path.removeprefix("datasets/").split("/")
        folder = self._folder(kind, org, name)
        if folder is None:
            self._missing("RepoNotFound")
        elif not (held := folder.joinpath(*file)).is_file():
            self._missing("EntryNotFound")
        else:
            tag = _file(folder, held)["oid"]
            self._answer(held.read_bytes(), ETag=f'"{tag}"')

    def _missing(self, code: str) -> None:
        self._answer(b"", status=404, **{"X-Error-Code": code})

    def _send(self, value: object) -> None:
        self._answer(json.dumps(value).encode())

    def _answer(self, body: bytes, *, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Repo-Commit", COMMIT)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def serving(repositories: Mapping[str, Path]) -> Iterator[tuple[str, Asked]]:
    """Serve folders as "models/org/name" or "datasets/org/name"; gives the endpoint, for
    HF_ENDPOINT, and what has been asked of it so far.
    """
    with _Server(repositories) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", server.asked
        finally:
            server.shutdown()
            thread.join()
