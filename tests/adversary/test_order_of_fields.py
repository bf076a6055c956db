"""The order of fields in a mapping is nobody's business: a log sorts them, a turn file need not."""

from __future__ import annotations

import pytest

from tests.adversary.duel import Duel, Row

TWICE_WRONG: dict[str, Row] = {
    "western-desert": {"type": "move", "zz": "1", "unit": "uk-7arm", "aa": "2", "to": {"z": "1", "a": "2"}},
    "shifting-sands": {"type": "move", "zz": "1", "unit": "it-62", "aa": "2", "to": {"z": "1", "a": "2"}},
}
CLAUSE: Row = {"type": "standing", "topic": "losses", "rules": [{"zz": "1", "aa": "2"}]}
SECTION = {"western-desert": "movement", "shifting-sands": "round"}


@pytest.mark.parametrize(("system", "scenario"), [("western-desert", "compass"), ("shifting-sands", "campaign")])
def test_the_first_fault_is_the_same_for_all(system: str, scenario: str) -> None:
    duel = Duel(system, scenario, "fields")
    wrong = TWICE_WRONG[system]
    while duel.seq <= 6:
        duel.look()
        duel.send([{"type": "section", "name": SECTION[system]}, wrong, CLAUSE])
    duel.verify()
