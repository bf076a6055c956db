"""Checks the files beside the compiled pack: sectors of the reports, and what the map was built from."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from adjudicator.packs.errors import PackError
from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, read, records
from adjudicator.packs.shape import Shape, check_record, text, texts
from adjudicator.packs.western_desert.board import slug
from adjudicator.packs.western_desert.printed import unreadable

BUILT_FROM: Final = ("geography.yaml", "georeference.yaml", "coastline.json")
SECTORS: Final = "sectors.yaml"
_SECTOR: Final = Shape({"name": text, "anchors": texts()})


def check_beside(files: PackFiles, faults: Faults) -> None:
    """Sectors and the sources of the map; a folder without the sources of its map is left alone,
    and so is a pack under an overlay."""
    if files.files["pack.yaml"].corrected:
        return
    _sectors(files, faults)
    here = [name for name in BUILT_FROM if (files.folder / name).is_file()]
    sound = [_readable(files, name, faults) for name in here]
    wanted = files.files["map.yaml"].get("made_from")
    if wanted and all(sound) and len(here) == len(BUILT_FROM) and wanted != made_from(files.folder):
        text_ = f"{', '.join(BUILT_FROM)} are not those the map was made from; run scripts/build_map.py"
        faults.at("map.yaml", files.files["map.yaml"].key_lines.get("made_from", 1), "stale", text_)


def made_from(folder: Path) -> str:
    """The digest of the files that the map is built from, whatever the ends of their lines."""
    digest = hashlib.sha256()
    for name in BUILT_FROM:
        digest.update((folder / name).read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def _readable(files: PackFiles, name: str, faults: Faults) -> bool:
    try:
        if name.endswith(".json"):
            json.loads((files.folder / name).read_bytes())
        else:
            read(files.folder / name, name)
    except PackError as error:
        faults.found.append(unreadable(str(error)))
        return False
    except (ValueError, OSError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        faults.at(name, line, "file", f"the file can't be read as JSON ({error}); put it back")
        return False
    return True


def _sectors(files: PackFiles, faults: Faults) -> None:
    try:
        top = read(files.folder / SECTORS, SECTORS)
    except PackError as error:
        faults.found.append(unreadable(str(error)))
        return
    places = {slug(str(row.get("name"))) for row in records(files.rows("map.yaml", "places"))}
    seen: dict[str, Record] = {}
    anchors: dict[str, Record] = {}
    if not list(records(top.get("sectors"))):
        faults.at(SECTORS, 1, "missing", "the file has no sectors; put the list back")
    for row in records(top.get("sectors")):
        check_record(faults, row, _SECTOR)
        faults.unique(seen, str(row.get("name")), row, "sector")
        names = row.get("anchors", [])
        for name in names if isinstance(names, list) else []:
            faults.unique(anchors, str(name), row, "anchor")
            if slug(str(name)) not in places and files.grid.canonical(str(name)) is None:
                faults.add(row, "place", f"there is no place {name} on the map; correct the anchor")
