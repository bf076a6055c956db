#!/usr/bin/env python3
"""Builds the hex map: geography, georeference and coastline of a pack -> its map.yaml.

Usage: build_map.py [SYSTEM] [--check] [--coastline land-10m.json]

Needs numpy, scipy, pyproj and shapely (`pip install adjudicator[maps]`); nothing else of the project does. With
--check nothing is written; exit 1 when map.yaml is out of date. With --coastline the extract coastline.json is
made anew from a TopoJSON file.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import yaml
from map_build import Builder
from map_coast import extract
from map_text import map_text

ROOT = Path(__file__).resolve().parents[1]


def built(folder: Path) -> str:
    """The text of map.yaml, made from the other files of the pack folder."""
    geography = read(folder / "geography.yaml")
    georeference = read(folder / "georeference.yaml")
    coastline = json.loads((folder / "coastline.json").read_text(encoding="utf-8"))
    text = map_text(Builder(geography, georeference, coastline).build())
    return f"{text}made_from: {made_from(folder)}\n"


def made_from(folder: Path) -> str:
    """The digest of the files that the map is built from, by which pack check sees that they are still the same."""
    digest = hashlib.sha256()
    for name in ("geography.yaml", "georeference.yaml", "coastline.json"):
        digest.update((folder / name).read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def main(arguments: list[str]) -> int:
    """Build and write, or compare; the exit code."""
    if "--coastline" in arguments:
        place = arguments.index("--coastline")
        source = Path(arguments[place + 1])
        arguments = arguments[:place] + arguments[place + 2 :]
    else:
        source = None
    names = [argument for argument in arguments if not argument.startswith("-")] or ["western-desert"]
    folder = ROOT / "module" / names[0]
    if source is not None:
        data = json.dumps(extract(source), separators=(",", ":"))
        (folder / "coastline.json").write_text(data + "\n", encoding="utf-8", newline="\n")
    text, target = built(folder), folder / "map.yaml"
    if "--check" in arguments:
        same = target.is_file() and target.read_text(encoding="utf-8") == text
        print(f"{target.name} is {'up to date' if same else 'out of date: run scripts/build_map.py'}")
        return 0 if same else 1
    target.write_text(text, encoding="utf-8", newline="\n")
    print(f"{target.relative_to(ROOT)}: {text.count(chr(10))} lines")
    return 0


def read(path: Path) -> dict[str, Any]:
    """A YAML file with every scalar as its text."""
    data: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return data


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
