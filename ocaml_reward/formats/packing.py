"""How files are packed: read by their first bytes, or refused with the command that unpacks them;
written by their names.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zlib
from contextlib import suppress
from typing import IO, Final, TypeAlias, cast

from ..errors import FormatError

ByteStream: TypeAlias = io.BufferedReader | gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile

SUFFIXES: Final = (".gz", ".bz2", ".xz")
"""How the names of files end that are unpacked while they are read, and packed when written."""
BROKEN: Final = (EOFError, OSError, zlib.error, lzma.LZMAError)
"""What is raised while reading a file that is damaged or breaks off."""

# The magic numbers are those of file(1) (file/file magic/Magdir/compress, archive).
_GZIP: Final = b"\x1f\x8b"
_BZIP2: Final = re.compile(rb"BZh[1-9]1AY&SY")
_XZ: Final = b"\xfd7zXZ\0"
_TO_UNPACK: Final = (
    (b"\x28\xb5\x2f\xfd", 0, "zstd", "zstd -d"),
    (b"\x04\x22\x4d\x18", 0, "lz4", "lz4 -d"),
    (b"PK\x03\x04", 0, "a zip archive", "unzip"),
    (b"7z\xbc\xaf\x27\x1c", 0, "a 7z archive", "7z x"),
    (b"ustar", 257, "a tar archive", "tar -xf"),
)
_HEAD_BYTES: Final = 262
_SHEETS: Final = (".xlsx", ".ods")
_NOT_WRITTEN: Final = (".zst", ".lz4", ".zip", ".7z", ".tar", *_SHEETS)


def unpacked(stream: io.BufferedReader, name: str) -> ByteStream:
    """Return a stream of what a file holds.

    Args:
        stream: The file's bytes, from the first.
        name: What messages call the file.

    Raises:
        FormatError: It is packed in a way that is not read here.
        OSError: It cannot be read at all.
    """
    head = stream.peek(_HEAD_BYTES)
    _require_unpacked(head, name)
    inner: ByteStream
    if head.startswith(_GZIP):
        inner = gzip.GzipFile(fileobj=stream, mode="rb")
    elif _BZIP2.match(head):
        inner = bz2.BZ2File(stream)
    elif head.startswith(_XZ):
        inner = lzma.LZMAFile(stream)  # noqa: SIM115 - its caller closes what is below
    else:
        return stream
    # Who reads the rest says what is broken.
    with suppress(*BROKEN):
        _require_unpacked(inner.peek(_HEAD_BYTES), name)
    return inner


def _require_unpacked(head: bytes, name: str) -> None:
    """Raise FormatError for the first bytes of a file that has to be unpacked before."""
    for magic, place, what, command in _TO_UNPACK:
        if head[place:].startswith(magic):
            if name.endswith(_SHEETS):
                raise FormatError(f"{name} is a spreadsheet; save it as CSV")
            raise FormatError(f"{name} is {what}; unpack it first: {command} {name}")


def require_packable(name: str) -> None:
    """Raise FormatError for the name of a file that would not be what it says."""
    if name.endswith(_NOT_WRITTEN):
        kinds = ", ".join(SUFFIXES)
        raise FormatError(f"cannot write {name}: packed files are written as {kinds}")


def packed(stream: IO[bytes], name: str) -> IO[bytes]:
    """Return a stream that packs what is written, where the name of its file says so; closing it
    leaves the file open.
    """
    if name.endswith(".gz"):
        # Without a time, as equal content is to be equal bytes.
        return cast("IO[bytes]", gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
    if name.endswith(".bz2"):
        return bz2.BZ2File(stream, "wb")
    return lzma.LZMAFile(stream, "wb") if name.endswith(".xz") else stream
