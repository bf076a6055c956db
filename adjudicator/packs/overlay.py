"""Corrections that the owner of a printed game lays over a pack, without touching its files.

An overlay is a YAML file: ``overlay`` names the system, ``title`` is free, every other key is a part of the pack with
a list of records. A record names one datum (a counter by ``id``, a hex by ``hex``, a cell of a chart by its row and
column ...) and gives its fields as they are printed; ``remove: yes`` takes a datum away, one that the pack does not
have is added. The corrected pack is checked as the pack is, with file and line of the overlay, and compiled to a tree
of its own, whose digest both players hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from adjudicator.packs.check import check_files
from adjudicator.packs.compile import compile_files
from adjudicator.packs.errors import PackError
from adjudicator.packs.faults import Fault, Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.flow import flow
from adjudicator.packs.layer import Change, Layer
from adjudicator.packs.reading import Record, Rows, parse, plain
from adjudicator.packs.shifting_sands import template as shifting_sands
from adjudicator.packs.shifting_sands.overlay import SECTIONS as SHIFTING_SANDS
from adjudicator.packs.western_desert import template as western_desert
from adjudicator.packs.western_desert.overlay import SECTIONS as WESTERN_DESERT

MAX_BYTES: Final = 4_000_000
MAX_DEPTH: Final = 12
HEAD: Final = ("overlay", "title")
_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SECTIONS: Final = {"western-desert": WESTERN_DESERT, "shifting-sands": SHIFTING_SANDS}
_TEMPLATES: Final = {"western-desert": western_desert.template_text, "shifting-sands": shifting_sands.template_text}


@dataclass(frozen=True, slots=True)
class Overlaid:
    """What an overlay makes of a pack: the tree (None where there are faults), all faults, and the overlay's own text,
    which holds what differs from the pack and nothing else."""

    tree: dict[str, Any] | None
    faults: list[Fault]
    text: str
    corrections: list[dict[str, Any]] = field(default_factory=list)


def read_overlay(data: bytes, shown: str) -> Record:
    """The mapping of an overlay file, which may come from the other player: size, depth and YAML's special features are
    limited before anything is built.

    Raises:
        PackError: with file and line, for what is no such file.
    """
    if len(data) > MAX_BYTES:
        raise PackError(f"{shown}:1:1: error: {len(data):,} bytes are too many; an overlay has {MAX_BYTES:,} at most")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as err:
        raise PackError(f"{shown}:1:1: error: the file is not UTF-8 text; save it as UTF-8") from err
    for number, line in enumerate(text.split("\n"), 1):
        if not line.rstrip("\r").isprintable():
            raise PackError(f"{shown}:{number}:1: error: there is a control character in this line; delete it")
    _plain_yaml(text, shown)
    return parse(text, shown)


def _plain_yaml(text: str, shown: str) -> None:
    """Refuse anchors, aliases, tags and deep nesting before a tree is built of the text."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            name, mark = type(event).__name__, event.start_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            depth += name.endswith(("MappingStartEvent", "SequenceStartEvent"))
            depth -= name.endswith(("MappingEndEvent", "SequenceEndEvent"))
            if getattr(event, "anchor", None) or getattr(event, "tag", None) or depth > MAX_DEPTH:
                what = "anchors, aliases, tags and deep nesting are not allowed here"
                raise PackError(f"{shown}:{line}:{column}: error: {what}; write the value itself")
    except yaml.MarkedYAMLError as err:
        problem = err.problem_mark
        line, column = (problem.line + 1, problem.column + 1) if problem else (1, 1)
        raise PackError(f"{shown}:{line}:{column}: error: {err.problem}; mend the YAML") from err
    except (yaml.YAMLError, ValueError) as err:
        raise PackError(f"{shown}:1:1: error: the file can't be read as YAML; mend it") from err


def lay(files: PackFiles, overlay: Record) -> Overlaid:
    """The pack with an overlay over it. ``files`` must be freshly read, for their records are changed."""
    faults = Faults()
    layer = Layer(files, faults)
    _head(files, overlay, faults)
    sections = _SECTIONS[files.system]
    for name, rows in overlay.items():
        if name in HEAD:
            continue
        if name not in sections:
            text = f"a pack of {files.system} has no part {name}; use one of: {', '.join(sections)}"
            faults.add_at(overlay, name, "part", text)
            continue
        for row in _entries(overlay, name, rows, faults):
            layer.correct(name, row, sections[name])
    for finish in layer.at_end:
        finish()
    files.files["pack.yaml"].corrected = True
    text = _text(files, overlay, layer)
    if not layer.made and not faults.found:
        faults.add(overlay, "nothing", "all of it is as the pack has it already; correct a value or play without")
    found = faults.found or sorted(set(check_files(files)))
    if found:
        return Overlaid(None, found, text, layer.corrections())
    tree = compile_files(files)
    tree["overlay"] = {"title": str(overlay.get("title", "")), "corrections": layer.corrections()}
    return Overlaid(tree, [], text, layer.corrections())


def _head(files: PackFiles, overlay: Record, faults: Faults) -> None:
    if overlay.get("overlay") != files.system:
        text = f"the overlay is for {overlay.get('overlay') or 'no game'}; begin it with: overlay: {files.system}"
        faults.add_at(overlay, "overlay", "head", text)
    if not isinstance(overlay.get("title", ""), str):
        faults.add_at(overlay, "title", "head", "the title is no text; write it on one line")


def _entries(overlay: Record, name: str, rows: Any, faults: Faults) -> Iterator[Record]:
    if not isinstance(rows, Rows):
        if rows != "":
            faults.add_at(overlay, name, "part", f"{name} must be a list of records; begin each with a dash")
        return
    for index, row in enumerate(rows):
        if isinstance(row, Record):
            yield row
        else:
            text = "this is no record; write it as - {id: ..., field: value}"
            faults.at(overlay.file, rows.lines[index], "part", text)


def template_of(files: PackFiles) -> str:
    """The doubtful data of a pack as an overlay to correct."""
    return _TEMPLATES[files.system](files)


def _text(files: PackFiles, overlay: Record, layer: Layer) -> str:
    """The overlay as it travels: what it really changes, one record a line, in the order of its parts."""
    lines = [f"overlay: {files.system}"]
    if overlay.get("title"):
        lines.append(f"title: {flow(str(overlay['title']))}")
    for name in overlay:
        made = [change for change in layer.made if change.section == name]
        if made:
            lines.append(f"{name}:")
            lines += [f"- {flow(_record(change))}" for change in made]
    return "\n".join(lines) + "\n"


def _record(change: Change) -> dict[str, Any]:
    if change.whole == "removed":
        return {**change.address, "remove": "yes"}
    if change.whole:
        return {str(key): plain(value) for key, value in change.entry.items()}
    return {**change.address, **{key: after for key, (_, after) in change.fields.items()}}
