"""The combat phase: what is refused, what is called off, supply, results, advances (WD 9, 12.C, 28.B.3)."""

from __future__ import annotations

from adjudicator.western_desert.combat import checked
from tests.western_desert.skirmish import ALLIED, AXIS, chance, fight, fixed, orders, position, stock, told, unit


def attack(**more: object) -> dict[str, object]:
    return {"type": "attack", "hex": "T", "with": "a", **more}


def test_one_attack_from_order_to_advance() -> None:
    state = position({"A": [unit("a", ALLIED, 12)], "T": [unit("d", AXIS, 2)]})
    state.control[state.board.find("T")] = AXIS
    ctx = fight(state, orders(attack(advance="a")), fixed(6))
    assert [e.kind for e in ctx.events] == ["attack", "result", "losses", "eliminated", "control", "advance", "control"]
    (result,) = told(ctx, "result")
    assert (result.data["column"], result.data["die"], result.data["label"]) == ("3:1", "6", "combat/t/crt")
    assert result.data["result"] == "DH"
    assert told(ctx, "losses")[0].data["choice"] == "forced"
    assert state.hex_of("a") == state.board.find("T")
    assert state.owner(state.board.find("T")) == ALLIED
    assert all(event.by == (1,) for event in ctx.events)


def test_what_no_die_can_mend_is_refused_before_the_first_die() -> None:
    state = position({"A": [unit("a", ALLIED, 12), unit("b", ALLIED)], "T": [unit("d", AXIS)], "C": [unit("e", AXIS)]})
    section = orders(
        attack(),
        {"type": "attack", "hex": "T", "with": "b"},
        {"type": "attack", "hex": "C", "with": "a, b"},
        {"type": "attack", "hex": "D", "with": "b"},
        attack(hex="T", supply="x:y"),
        {"type": "losses", "hex": "C", "units": "b"},
        {"type": "retreat", "unit": "b", "to": "B"},
        {"type": "advance", "units": "b", "to": "T"},
        {"type": "overrun", "units": "b"},
    )
    ctx = fight(state, section, fixed(4))
    rules = {n: [p.rule for p in ctx.problems if p.order == n] for n in range(len(section))}
    assert rules[0] == []
    assert rules[1] == ["WD 9.B.1", "WD 9.B.4"]
    assert set(rules[2]) == {"WD 9", "WD 9.B.1"}
    assert "WD 9" in rules[3]
    assert "WD 12.C" in rules[4]
    assert (rules[5], rules[6], rules[7], rules[8]) == (["WD 9.C"], ["WD 9.F.1"], ["WD 9.F.2"], ["WD 4.C"])
    assert all(p.depends is None for p in ctx.problems)
    assert [e.kind for e in ctx.events].index("attack") > max(i for i, e in enumerate(ctx.events) if e.kind == "void")


def test_checked_says_the_same_without_running() -> None:
    state = position({"A": [unit("a", ALLIED)], "T": [unit("d", AXIS)]})
    section = orders(attack(), attack())
    found = checked(state, ALLIED, section)
    assert [bool(problems) for _order, problems, _plan in found] == [False, True]
    assert checked(state, AXIS, section)[0][1][0].rule == "WD 9.B.6"
    state.phase = "movement"
    assert checked(state, ALLIED, section)[0][1][0].rule == "WD 4.C"


def test_only_the_attack_force_attacks_in_the_surprise_turn() -> None:
    state = position({"A": [unit("a", ALLIED), unit("b", ALLIED)], "T": [unit("d", AXIS)]})
    state.world.scenario = {"attack_force": ["a"]}
    state.surprise = True
    ctx = fight(state, orders(attack(**{"with": "a, b"})), fixed(4))
    assert [(p.rule, p.field) for p in ctx.problems] == [("WD 28.B.3", "with")]
    assert "b is not in the attack force" in ctx.problems[0].text
    assert fight(state, orders(attack()), fixed(4)).problems == []


def test_min_odds_call_an_attack_off_and_name_the_clause() -> None:
    state = position({"A": [unit("a", ALLIED, 6)], "T": [unit("d", AXIS, 2)]})
    ctx = fight(state, orders(attack(min_odds="2:1")), fixed())
    (skip,) = told(ctx, "skipped")
    assert skip.data["clause"] == "min_odds 2:1: the odds are 3 to 2, column 1.5:1"
    assert not state.pieces["a"].attacked
    stock(state, "s1", "A")
    ctx = fight(state, orders(attack(min_odds="2:1", supply="s1:1")), fixed(4))
    assert told(ctx, "attack")[0].data["column"] == "3:1"
    bad = fight(position({"A": [unit("a", ALLIED)]}), orders(attack(min_odds="9:1")), fixed())
    assert "min_odds 9:1 is no column" in bad.problems[0].text


def test_one_step_serves_two_attacks_of_the_phase_and_then_lapses() -> None:
    pieces = {
        "A": [unit("a", ALLIED, 6, re2=8)],
        "D": [unit("b", ALLIED, 6, re2=14), unit("c", ALLIED, 4, re2=12)],
        "T": [unit("d", AXIS, 2)],
        "C": [unit("e", AXIS, 2)],
    }
    state = position(pieces)
    stock(state, "s1", "A")
    section = orders(
        attack(supply="s1:1"), {"type": "attack", "hex": "C", "with": ["b", "c"], "supply": [{"counter": "s1"}]}
    )
    ctx = fight(state, section, fixed(4, 4))
    first, second = told(ctx, "attack")
    assert (first.data["supplied"], second.data["supplied"]) == (["a"], ["c"])
    used = [(e.data["steps"], e.data["re"], e.data["left"], e.data["spare"]) for e in told(ctx, "supply-used")]
    assert used == [("1", "4", "0", "6"), ("0", "6", "0", "0")]
    assert told(ctx, "supply-spent")[0].data["counters"] == ["s1"]
    assert state.supply == {}


def test_without_step_split_a_step_serves_one_attack() -> None:
    pieces = {"A": [unit("a", ALLIED)], "D": [unit("b", ALLIED)], "T": [unit("d", AXIS)], "C": [unit("e", AXIS)]}
    state = position(pieces)
    state.world.switches = {"attack_step_split": "false"}
    stock(state, "s1", "A", steps=2)
    section = orders(attack(supply="s1:1"), {"type": "attack", "hex": "C", "with": "b", "supply": "s1:1"})
    ctx = fight(state, section, fixed(4, 4))
    assert [(e.data["steps"], e.data["left"]) for e in told(ctx, "supply-used")] == [("1", "1"), ("1", "0")]


def test_supply_is_told_wrong_in_numbers() -> None:
    state = position({"A": [unit("a", ALLIED)], "T": [unit("d", AXIS)]})
    stock(state, "s1", "A")
    stock(state, "x1", "T", AXIS)
    texts = {
        form: fight(state.copy(), orders(attack(supply=form)), fixed(4)).problems for form in ("s1:2", "x1:1", "s9")
    }
    assert "s1 has 1 steps, the attack names 2" in texts["s1:2"][0].text
    assert (texts["x1:1"][0].rule, texts["s9"][0].hint) == ("WD 12.C", "you have s1")


def test_if_unsupplied_skip_calls_off_where_the_line_is_cut() -> None:
    state = position({"A": [unit("a", ALLIED)], "T": [unit("d", AXIS)]})
    far = max(state.board.land, key=lambda h: (h, 0))
    state.board.names[far] = "far"
    stock(state, "s1", "far", steps=2)
    assert told(fight(state.copy(), orders(attack(supply="s1:1", if_unsupplied="skip")), fixed(4)), "attack")
    for h in state.board.land:
        if h != state.board.find("A"):
            state.overlay_zoc.setdefault(AXIS, set()).add(h)
    ctx = fight(state, orders(attack(supply="s1:1", if_unsupplied="skip")), fixed())
    assert told(ctx, "skipped")[0].data["clause"] == "if_unsupplied skip: a would be without attack supply"
    ctx = fight(state, orders(attack(supply="s1:1")), fixed(4))
    assert told(ctx, "attack")[0].data.get("supplied") == []
    lone = fight(state.copy(), orders(attack(if_unsupplied="skip")), fixed())
    assert lone.problems[0].field == "if_unsupplied"


def test_defenders_without_strength_fall_without_a_die() -> None:
    gun = unit("g", AXIS, 0, type="position_aa", size="none", re2=0, movement=0)
    state = position({"A": [unit("a", ALLIED, 1)], "T": [gun]})
    ctx = fight(state, orders(attack(advance="all")), fixed())
    assert told(ctx, "result")[0].data["result"] == "auto"
    assert state.gone == {"g": "eliminated"}
    assert state.hex_of("a") == state.board.find("T")


def test_zero_strength_attackers_may_only_join() -> None:
    hq = unit("h", ALLIED, 0, type="headquarters", size="headquarters", giver=True)
    state = position({"A": [unit("a", ALLIED, supported=False), hq], "T": [unit("d", AXIS)]})
    ctx = fight(state, orders(attack(**{"with": "h"})), fixed())
    assert ctx.problems[0].rule == "WD 9.G.attack"
    ctx = fight(state, orders(attack(**{"with": ["h", "a"]})), fixed(4))
    assert told(ctx, "attack")[0].data["strength"] == "1"


def test_an_advance_order_stands_right_after_its_attack_and_needs_a_cleared_hex() -> None:
    state = position({"A": [unit("a", ALLIED, 12)], "T": [unit("d", AXIS, 2)]})
    advance = {"type": "advance", "units": "a", "to": "T"}
    ctx = fight(state.copy(), orders(attack(), advance), fixed(2))
    assert told(ctx, "skipped")[0].data["clause"] == "the hex is not cleared"
    fine = state.copy()
    fight(fine, orders(attack(), advance), fixed(6))
    assert fine.hex_of("a") == fine.board.find("T")
    ctx = fight(state, orders(attack(), {"type": "advance", "units": "d", "to": "T"}), fixed(6))
    assert ctx.problems[0].rule == "WD 9.F.2.def"


def test_an_advance_that_can_never_fit_is_refused_and_all_fills_up_to_the_limit() -> None:
    here = [unit(f"a{i}", ALLIED) for i in range(4)]
    there = [unit(f"b{i}", ALLIED, 3) for i in range(4)]
    state = position({"A": here, "B": there, "T": [unit("d", AXIS, 0)]})
    names = [u.id for u in (*here, *there)]
    ctx = fight(state.copy(), orders(attack(**{"with": names, "advance": names})), fixed())
    assert [(p.rule, p.field) for p in ctx.problems] == [("WD 8.A", "advance")]
    ctx = fight(state, orders(attack(**{"with": names, "advance": "all"})), fixed())
    assert len(told(ctx, "advance")) == 6
    assert {e.data["unit"] for e in told(ctx, "advance")} >= {"b0", "b1", "b2", "b3"}
    assert len(told(ctx, "stays")) == 2


def test_nobody_advances_unless_ordered() -> None:
    state = position({"A": [unit("a", ALLIED, 12)], "T": [unit("d", AXIS, 2)]})
    ctx = fight(state, orders(attack()), fixed(6))
    assert not told(ctx, "advance")


def test_units_that_retreated_share_the_result_of_the_hex_they_fled_into() -> None:
    pieces = {
        "A": [unit("a", ALLIED, 12)],
        "B": [unit("b", ALLIED, 16, size="battalion")],
        "C": [unit("e", AXIS, 2)],
        "T": [unit("d", AXIS, 2)],
    }
    state = position(pieces)
    for name in "DEF":
        state.board.land.pop(state.board.find(name))
    state.board.forget()
    section = orders(attack(), {"type": "attack", "hex": "C", "with": "b"})
    ctx = fight(state.copy(), section, fixed(4, 6))
    assert [e.data["result"] for e in told(ctx, "result")] == ["DR", "DE"]
    assert told(ctx, "attack")[1].data["sharing"] == ["d"]
    assert told(ctx, "attack")[1].data["against"] == "2"
    assert [e.data["unit"] for e in told(ctx, "eliminated")] == ["d", "e"]
    state.world.switches = {"retreated_units": "shield"}
    ctx = fight(state, section, fixed(4))
    assert told(ctx, "skipped")[0].rule == "WD 9.B.1"


def test_events_are_the_same_whatever_the_order_of_units_in_an_order() -> None:
    here = [unit(f"a{i}", ALLIED, 2) for i in range(4)]
    state = position({"A": here, "T": [unit("d", AXIS, 2), unit("e", AXIS, 2, cadre="1")]})
    names = [u.id for u in here]
    for seed in range(12):
        one = fight(state.copy(), orders(attack(**{"with": names, "advance": names})), chance(seed))
        two = fight(state.copy(), orders(attack(**{"with": names[::-1], "advance": names[::-1]})), chance(seed))
        assert [e.tree() for e in one.events] == [e.tree() for e in two.events]
