"""Every form of label that Shifting Sands rolls (PROTOCOL 4.6). A test holds that each roll fits exactly one."""

from __future__ import annotations

from adjudicator.shifting_sands.state import State

_SLUG = r"[a-z0-9][a-z0-9._#-]*"

LABEL_FORMS = (
    r"deck/(?:axis|allied)-strategy/\d+/draw/\d+",
    r"lrdg/(?:raid|intelligence)/[a-z]+-\d+(?:/axis/\d+)?",
    rf"combat/{_SLUG}/flank(?:#\d+)?",
    rf"combat/{_SLUG}/fire-(?:attacker|defender)(?:#\d+)?",
)


def combat_label(state: State, target: str, what: str) -> str:
    """The label of a roll of the combat being fought; the second against one space in a round is numbered."""
    times = state.attacked.count(target)
    return f"combat/{state.world.spaces[target].slug}/{what}" + (f"#{times}" if times > 1 else "")
