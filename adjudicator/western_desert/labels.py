"""Every form of label that Western Desert rolls (PROTOCOL 4.6). A test holds that each roll fits exactly one."""

from __future__ import annotations

_HEX = r"1[89]\.\d{4}"
_SLUG = r"[a-z0-9][a-z0-9._#-]*"

LABEL_FORMS = (
    rf"setup/axis/{_SLUG}/disarray",
    r"fifth-army/axis/draw",
    r"vichy/axis/pressure",
    rf"raid/allied/{_HEX}(?:/victim)?",
    rf"greece/allied/{_SLUG}",
    rf"combat/{_HEX}/crt(?:#\d+)?",
    rf"capture/{_HEX}/{_SLUG}",
    rf"malta/(?:{_HEX}|tunisia)/{_SLUG}(?:/\d+)?",
    rf"shipping/(?:{_HEX}|tunisia)/{_SLUG}(?:/\d+)?",
    rf"malta-run/{_HEX}/{_SLUG}(?:/\d+)?",
    rf"patrol/{_HEX}/{_SLUG}/{_SLUG}",
    rf"air/{_HEX}/{_SLUG}/{_SLUG}",
    rf"aa/{_HEX}/{_SLUG}",
    rf"aa-support/{_HEX}/{_SLUG}(?:/(?:movement|exploitation))?",
    rf"bomb/{_HEX}/{_SLUG}",
    rf"bombed/{_HEX}/{_SLUG}",
    rf"disruption/{_HEX}/{_SLUG}",
    rf"crash/{_HEX}/{_SLUG}",
    rf"escape/{_HEX}/{_SLUG}",
    rf"repair/{_HEX}/{_SLUG}",
)
