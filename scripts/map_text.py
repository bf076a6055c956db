"""Writes map.yaml: one record a line, in a fixed order, so that two maps can be compared line by line."""

from __future__ import annotations

import re
from typing import Any

PLAIN = re.compile(r"[A-Za-z0-9_/+(][A-Za-z0-9_/+.() '&=;-]*")
WORDS = {"yes", "no", "true", "false", "null", "on", "off", "~"}
HEAD = """\
# Made by scripts/build_map.py from geography.yaml, georeference.yaml and coastline.json; do not edit.
# control: at the start, before Italian units and their ZOC in Egypt are counted (WD 30).
# of: the feature of the geography a datum comes from. source and confidence: of the terrain, or of the record.
# low: the hex on the lower side of an escarpment.
"""
PER_LINE = 16


def map_text(data: dict[str, Any]) -> str:
    """The text of a built map."""
    lines = [HEAD.rstrip("\n")]
    for key, rows in data.items():
        lines.append(f"{key}:")
        if key == "sea":
            lines += [f"- {flow(rows[i : i + PER_LINE])}" for i in range(0, len(rows), PER_LINE)]
        else:
            lines += [f"- {flow(row)}" for row in rows]
    return "\n".join(lines) + "\n"


def flow(value: Any) -> str:
    """A value in the flow style of YAML, texts quoted only where they must be."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if value is True:
        return "true"
    text = str(value)
    if PLAIN.fullmatch(text) and not text.endswith(" ") and text.lower() not in WORDS:
        return text
    return "'" + text.replace("'", "''") + "'"
