"""Every form of label that Shifting Sands rolls (PROTOCOL 4.6). A test holds that each roll fits exactly one."""

from __future__ import annotations

_SLUG = r"[a-z0-9][a-z0-9._#-]*"

LABEL_FORMS = (
    r"deck/(?:axis|allied)-strategy/\d+/draw/\d+",
    rf"combat/{_SLUG}/flank(?:#\d+)?",
    rf"combat/{_SLUG}/fire-(?:attacker|defender)(?:#\d+)?",
)
