"""What is known of the parts of the code, to and from a record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..model import Ground, Region
from ..strict import Fields, integer, list_of, string, table, word_of

# Made once: a record may have hundreds of regions.
_COUNT = integer(low=0)
_LINE = integer(low=1)
_GROUND = word_of(Ground)
_NAMES = list_of(string)
_TABLES = list_of(table)


def region_to_dict(region: Region) -> dict[str, Any]:
    """Turn a region into its record; the mark follows from its ground, and is for readers."""
    return {
        "start": region.start,
        "stop": region.stop,
        "line": region.line,
        "end_line": region.end_line,
        "mark": region.mark.value,
        "ground": region.ground.value,
        "names": list(region.names),
        "passed": region.passed,
        "failed": region.failed,
        "places": places_to_list(region.places),
    }


def places_to_list(places: Iterable[tuple[int, int]]) -> list[dict[str, int]]:
    """Turn parts of a text into objects of a record."""
    return [{"start": start, "stop": stop} for start, stop in places]


def read_places(fields: Fields, name: str) -> tuple[tuple[int, int], ...]:
    """Read parts of a text; none where the record lacks the key.  Raises FormatError."""
    return tuple(map(_place, fields.read(name, _TABLES))) if fields.has(name) else ()


def read_regions(fields: Fields) -> tuple[Region, ...] | None:
    """Read the regions of a record; None where nobody asked for them.  Raises FormatError."""
    if not fields.has("regions"):
        return None
    return tuple(map(_read, fields.read("regions", _TABLES)))


def _read(fields: Fields) -> Region:
    region = Region(
        start=fields.read("start", _COUNT),
        stop=fields.read("stop", _COUNT),
        line=fields.read("line", _LINE),
        end_line=fields.read("end_line", _LINE),
        ground=fields.read("ground", _GROUND),
        names=fields.read("names", _NAMES),
        passed=fields.read("passed", _COUNT),
        failed=fields.read("failed", _COUNT),
        places=read_places(fields, "places"),
    )
    if fields.read("mark", string) != region.mark:
        fields.fail("mark", f"{region.ground.value!r} is {region.mark.value!r}")
    fields.close()
    return region


def _place(fields: Fields) -> tuple[int, int]:
    place = fields.read("start", _COUNT), fields.read("stop", _COUNT)
    fields.close()
    return place
