"""
What is known of the parts of the code, to and from a record.
"""

from __future__ import annotations

from typing import Any

from ..model import Ground, Region
from ..strict import Fields

__all__ = ["read_regions", "region_to_dict"]


def region_to_dict(region: Region) -> dict[str, Any]:
    """
    Turn a region into its record; the mark follows from its ground, and is for readers.
    """
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
        "places": [{"start": start, "stop": stop} for start, stop in region.places],
    }


def read_regions(fields: Fields) -> tuple[Region, ...] | None:
    """
    Read the regions of a record; None where nobody asked for them.  Raises FormatError.
    """
    if "regions" not in fields.names():
        return None
    return tuple(map(_read, fields.tables("regions")))


def _read(fields: Fields) -> Region:
    region = Region(
        start=fields.integer("start", low=0),
        stop=fields.integer("stop", low=0),
        line=fields.integer("line", low=1),
        end_line=fields.integer("end_line", low=1),
        ground=fields.choice("ground", Ground),
        names=fields.texts("names"),
        passed=fields.integer("passed", low=0),
        failed=fields.integer("failed", low=0),
        places=tuple(map(_place, fields.tables("places"))),
    )
    if fields.text("mark") != region.mark:
        fields.fail("mark", f"{region.ground.value!r} is {region.mark.value!r}")
    fields.close()
    return region


def _place(fields: Fields) -> tuple[int, int]:
    place = fields.integer("start", low=0), fields.integer("stop", low=0)
    fields.close()
    return place
