"""What files of completions may hold besides good lines, and how they are packed."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ocaml_reward import FormatError, Problem, StdioCase
from ocaml_reward.formats import (
    BadLine,
    CompletionLine,
    count_lines,
    lines,
    load_problems,
    read_completions,
    write_problems,
)


def read(content: str | bytes) -> list[CompletionLine | BadLine]:
    """Read completions from a stream."""
    raw = content.encode() if isinstance(content, str) else content
    return list(read_completions(io.BytesIO(raw)))


def messages(items: list[CompletionLine | BadLine]) -> list[str]:
    """Return the bad lines as a user sees them."""
    return [str(item) for item in items if isinstance(item, BadLine)]


def test_a_bad_line_costs_no_other() -> None:
    """Broken JSON, a blank line, CRLF and a byte-order mark leave the other lines alone."""
    items = read(
        b'\xef\xbb\xbf{"id": "a", "completion": "x"}\r\n\r\n'
        b'{"id": "a", "completion": \r\n'
        b'{"id": "a", "completion": "y"}'
    )

    assert [(1, "x"), (4, "y")] == [
        (item.line, item.completion.text) for item in items if isinstance(item, CompletionLine)
    ]
    assert ["-:3: not JSON: Expecting value at column 27"] == messages(items)


def test_text_that_cannot_be_written_again_is_repaired() -> None:
    """Bytes that are not UTF-8 and unpaired surrogates become U+FFFD; a NUL stays."""
    items = read(
        b'{"id": "a", "completion": "\xff"}\n'
        b'{"id": "a", "completion": "\\ud800", "x": {"\\udfff": NaN}}\n'
        b'{"id": "a", "completion": "\\u0000", "n": 1e999}\n'
    )

    assert [
        ("\ufffd", True, {}),
        ("\ufffd", False, {"x": {"\ufffd": None}}),
        ("\0", False, {"n": None}),
    ] == [
        (item.completion.text, item.repaired, item.extra)
        for item in items
        if isinstance(item, CompletionLine)
    ]


def test_no_line_is_held_beyond_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line over the limit is reported without being held; the next one is read."""
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 1024**2)
    long = '{"id": "a", "completion": "' + "x" * 3 * 1024**2 + '"}\n'

    items = read(long + '{"id": "a", "completion": "y"}\n')

    assert ["-:1: longer than 1 MiB"] == messages(items)
    assert isinstance(items[1], CompletionLine)
    assert 2 == items[1].line


def test_reading_is_lazy() -> None:
    """Only the lines asked for are parsed, so a file of any size is read in one pass."""
    items = read_completions(io.BytesIO(b'{"id": "a", "completion": "x"}\n' * 2 + b"{"))

    assert isinstance(next(items), CompletionLine)


def test_gzip_by_content(tmp_path: Path) -> None:
    """Gzip is told by its bytes, on a stream too; a file that breaks off loses only its end."""
    row = b'{"id": "a", "completion": "x"}\n'
    whole = gzip.compress(row * 3)
    path = tmp_path / "c.jsonl"
    path.write_bytes(whole)

    assert 3 == len(read(whole))
    assert 3 == count_lines(path)
    assert [
        "-:1: unreadable: Compressed file ended before the end-of-stream marker was reached"
    ] == messages(read(whole[:20]))


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.jsonl", b'{"id": "a", "completion": "x"}\n{"id": "b", "completion": "y"}\n'),
        ("c.json", b'[{"id": "a", "completion": "x"}, {"id": "b", "completion": "y"}]'),
        ("c.csv", b"id,completion\na,x\nb,y\n"),
    ],
)
def test_packed_files(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes], name: str, content: bytes
) -> None:
    """The name within says how a file is read; one that breaks off is told."""
    path = tmp_path / f"{name}{suffix}"
    path.write_bytes(pack(content))
    broken = tmp_path / f"broken.{name}{suffix}"
    broken.write_bytes(pack(content)[:-6])

    assert ["a", "b"] == [
        each.problem_id for each in read_completions(path) if isinstance(each, CompletionLine)
    ]
    if name == "c.json":
        with pytest.raises(FormatError, match="cannot read"):
            list(read_completions(broken))
        return
    assert "unreadable" in messages(list(read_completions(broken)))[-1]


def archive(kind: str, folder: Path) -> Path:
    """Return an archive that holds a file of completions."""
    (folder / "in").mkdir()
    (folder / "in" / "c.jsonl").write_text('{"id": "a", "completion": "x"}\n')
    return Path(shutil.make_archive(str(folder / "c"), kind, folder / "in"))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("zip", "a zip archive; unpack it first: unzip "),
        ("tar", "a tar archive; unpack it first: tar -xf "),
        ("gztar", "a tar archive; unpack it first: tar -xf "),
        ("xztar", "a tar archive; unpack it first: tar -xf "),
    ],
)
def test_archives_are_named(tmp_path: Path, kind: str, said: str) -> None:
    path = archive(kind, tmp_path)
    with pytest.raises(FormatError) as raised:
        list(read_completions(path))

    assert f"{path} is {said}{path}" == str(raised.value)


@pytest.mark.parametrize(
    ("name", "head", "said"),
    [
        ("c.jsonl.zst", b"\x28\xb5\x2f\xfd\x24", "is zstd; unpack it first: zstd -d "),
        ("c.jsonl.lz4", b"\x04\x22\x4d\x18\x64", "is lz4; unpack it first: lz4 -d "),
        ("c.7z", b"7z\xbc\xaf\x27\x1c\0", "is a 7z archive; unpack it first: 7z x "),
        ("c.xlsx", b"PK\x03\x04\x14", "is a spreadsheet; save it as CSV"),
    ],
)
def test_what_is_not_unpacked_is_named(tmp_path: Path, name: str, head: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(head + bytes(300))
    with pytest.raises(FormatError, match=said):
        load_problems(path)


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
@pytest.mark.parametrize("form", ["jsonl", "csv", "tsv"])
def test_problems_are_written_by_the_name_and_read_again(
    tmp_path: Path, form: str, suffix: str
) -> None:
    path = tmp_path / f"p.{form}{suffix}"
    problems = [
        Problem(id="a", prompt='half,\n"x"\té', tests="assert (f 1 = 1)", libraries=("str",)),
        Problem(id="b", tests=(StdioCase(stdin="1", stdout="2\n"),), forbidden=("ref",)),
    ]
    write_problems(path, problems)
    start = path.read_bytes()[:2]

    assert problems == list(load_problems(path).problems.values())
    assert {"": start, ".gz": b"\x1f\x8b", ".bz2": b"BZ", ".xz": b"\xfd7"}[suffix] == start


def test_no_file_is_written_that_is_not_what_its_name_says(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"packed files are written as \.gz, \.bz2, \.xz"):
        write_problems(tmp_path / "p.jsonl.zst", [])


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_empty_files(content: bytes) -> None:
    """A file without lines holds nothing, which is no error here."""
    assert [] == read(content)


@pytest.mark.parametrize("depth", [101, 100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    """What no JSON writer could write again is a bad line, at any depth."""
    nested = "[" * depth + "]" * depth
    items = read(f'{{"id": "a", "completion": "x", "extra": {nested}}}\n')

    assert ["-:1: not usable JSON: nested too deeply"] == messages(items)


def test_utf16_is_named() -> None:
    """A file in UTF-16 is told apart from a file of garbage."""
    assert ["-: UTF-16 text; save it as UTF-8"] == messages(read("x".encode("utf-16")))


def test_folder_of_multipl_e(tmp_path: Path) -> None:
    """A folder is its `.json` files by name, without the verdicts beside them."""
    for name in ("b.json", "a.json", "a.results.json"):
        row = {"name": name, "tests": "t", "completions": ["x"]}
        (tmp_path / name).write_text(json.dumps(row, indent=1))

    items = list(read_completions(tmp_path))

    assert ["a.json", "b.json"] == [
        item.problem_id for item in items if isinstance(item, CompletionLine)
    ]


def test_json_lines_under_a_json_name(tmp_path: Path) -> None:
    """JSON Lines in a file called `.json` are read as what they are."""
    path = tmp_path / "c.json"
    path.write_text('{"id": 1, "completion": "x"}\n{"id": 2, "completion": "y"}\n{')

    items = list(read_completions(path))

    assert [1, 2, 3] == [item.line for item in items]
    assert 1 == len(messages(items))


def test_unreadable_paths(tmp_path: Path) -> None:
    """A path that cannot be opened is one line that names it."""
    with pytest.raises(FormatError, match=r"cannot read .*none: No such file"):
        list(read_completions(tmp_path / "none"))
    with pytest.raises(FormatError, match=r"no \.json file in this folder"):
        list(read_completions(tmp_path))
    (tmp_path / "some.jsonl").touch()
    with pytest.raises(FormatError, match=r"name one of its files, such as some\.jsonl"):
        list(read_completions(tmp_path))


def test_a_path_may_be_text(tmp_path: Path) -> None:
    """Whoever calls the library need not know pathlib."""
    problems, completions = tmp_path / "problems.jsonl", tmp_path / "completions.jsonl"
    problems.write_text('{"id": "p", "tests": "let () = assert true"}\n')
    completions.write_text('{"problem_id": "p", "completion": "let x = 1"}\n')

    assert load_problems(problems) == load_problems(str(problems))
    assert [*read_completions(completions)] == [*read_completions(str(completions))]


@pytest.mark.parametrize("name", ["c.csv", "c.tsv"])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_tables_of_spreadsheets(tmp_path: Path, name: str, sign: str) -> None:
    """Cells stand between what the names of the columns stand between."""
    path = tmp_path / name
    rows = [["id", "completion"], ["a", "let x = 1"], ["b", '"let y = 2; 3, 4"']]
    path.write_text("".join(f"{sign.join(row)}\n" for row in rows), "utf-8")

    items = list(read_completions(path))
    texts = [each.completion.text for each in items if isinstance(each, CompletionLine)]

    assert ["let x = 1", "let y = 2; 3, 4"] == texts


def test_tables_in_another_encoding(tmp_path: Path) -> None:
    """UTF-16 is told once, as of other files."""
    path = tmp_path / "c.csv"
    path.write_text("id,completion\na,let x = 1\n", "utf-16")

    assert [f"{path}: UTF-16 text; save it as UTF-8"] == messages(list(read_completions(path)))
