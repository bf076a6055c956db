"""Base64 lines around a file, for mailers that mangle indentation (PROTOCOL 3.2, `--armor`)."""

from __future__ import annotations

import base64
import binascii

from adjudicator.turnfile.canon import MAX_BYTES

BEGIN, END = "-----BEGIN PBEM TURN-----", "-----END PBEM TURN-----"
_WIDTH = 70


class ArmorError(ValueError):
    """An armored block that is damaged; the text says how, and how to mend it."""

    code = "E_CANON"


def armor(data: bytes) -> str:
    """The file as base64 lines between BEGIN and END."""
    text = base64.b64encode(data).decode()
    return "\n".join([BEGIN, *(text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)), END, ""])


def is_armored(data: bytes) -> bool:
    """Whether the bytes hold an armored block, anywhere (a whole mail may stand around it)."""
    return BEGIN.encode() in data


def unarmor(data: bytes) -> bytes:
    """The file inside an armored block; quoting marks (`> `) before the lines are dropped. Raises ArmorError."""
    text = data.decode("utf-8", "replace")
    _, found, rest = text.partition(BEGIN)
    inner, end, _ = rest.partition(END)
    if not found or not end:
        raise ArmorError(f"there is no whole block from `{BEGIN}` to `{END}`; copy it with both lines")
    clean = "".join(line.strip().lstrip("> ") for line in inner.splitlines())
    if len(clean) > MAX_BYTES * 4 // 3 + 4:
        raise ArmorError(f"the block holds more than {MAX_BYTES:,} bytes; it is no turn file")
    try:
        return base64.b64decode(clean, validate=True)
    except (binascii.Error, ValueError):
        raise ArmorError("the block is damaged (not base64); ask for the same file once more") from None
