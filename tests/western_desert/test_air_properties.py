"""Air combat with any aircraft, any lawful decisions and any dice (WD 21.B.2): what must hold in every battle."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.western_desert.air.craft import (
    AIRBASE,
    DROP,
    ESCORT,
    FATE_OF,
    FATES,
    GROUND_SUPPORT,
    INTERCEPT,
    TRANSFER,
    Flight,
    worst,
)
from adjudicator.western_desert.air.engagement import Outcome, Policy
from adjudicator.western_desert.air.policies import Defaults
from adjudicator.western_desert.air.sky import Sky
from tests.western_desert.dogfights import Told, Wild, drawn, flight, fought, sky

FIGHTERS = st.sampled_from(["2F2", "3F3", "5F5", "7F5", "7F7", "5NF4"])
OTHERS = st.sampled_from(["1B3", "2NB2", "3HB5", "2D3", "3A3", "1T2", "7F5", "4F4"])
MISSIONS = st.sampled_from([AIRBASE, GROUND_SUPPORT, TRANSFER, DROP])
SEEDS = st.integers(0, 10**6)


@st.composite
def skies(draw: st.DrawFn) -> Sky:
    """Interceptors, perhaps escorts, and a mission force of any kind."""
    flights: list[Flight] = []
    for letter, mission, least in (("I", INTERCEPT, 1), ("E", ESCORT, 0)):
        figures = draw(st.lists(FIGHTERS, min_size=least, max_size=6))
        flights += [flight(f"{letter}{n}", text, mission) for n, text in enumerate(figures)]
    force = draw(st.lists(st.tuples(OTHERS, MISSIONS, st.integers(0, 6)), max_size=5))
    flights += [flight(f"M{n}", figures, mission, tactical=load) for n, (figures, mission, load) in enumerate(force)]
    return sky(*draw(st.permutations(flights)))


def policy(seed: int) -> Policy:
    """The defaults, or anything lawful."""
    return Defaults() if seed % 4 == 0 else Wild(seed)


def battle(air: Sky, seed: int) -> Outcome:
    return fought(air, drawn(seed), policy(seed), policy(seed // 4))


@given(skies(), SEEDS)
def test_nobody_fights_twice_in_a_step(air: Sky, seed: int) -> None:
    """Whoever meets several is all that any of them meets; the fight at the screen is the only one of its units."""
    outcome = battle(air, seed)
    met: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for fired in outcome.fired:
        step, firer, target = fired.shot[:3]
        met[step][firer].add(target)
        met[step][target].add(firer)
    for by_unit in met.values():
        for aid, others in by_unit.items():
            if len(others) > 1:
                assert all(by_unit[other] == {aid} for other in others)
    assert not set(met["screen"]) & (set(met["bypass"]) | set(met["mission"]))
    pairs = Counter((fired.shot.firer, fired.shot.target) for fired in outcome.fired)
    assert set(pairs.values()) <= {1}
    assert len({fired.shot.label for fired in outcome.fired}) == len(outcome.fired)


@given(skies(), SEEDS)
def test_every_escort_gets_an_interceptor_first(air: Sky, seed: int) -> None:
    outcome = battle(air, seed)
    sky_then = outcome.sky
    attackers, screen = sky_then.attackers, {a for a, f in sky_then.flights.items() if f.flies_as == ESCORT}
    faced = Counter(sky_then.engaged.values())
    if attackers and len(attackers) >= len(screen):
        assert set(faced) == screen
    elif attackers:
        assert set(sky_then.engaged) == attackers
        assert set(faced.values()) <= {1}
    assert set(faced) <= screen


@given(skies(), SEEDS)
def test_who_is_eliminated_or_aborted_never_fires_again(air: Sky, seed: int) -> None:
    """In the exchange itself both fire; the shots of an exchange stand side by side in the list."""
    outcome = battle(air, seed)
    silenced: dict[str, str] = {}
    for number, fired in enumerate(outcome.fired):
        firer, target = fired.shot.firer, fired.shot.target
        before = outcome.fired[number - 1].shot if number else None
        answer = before is not None and (before.firer, before.target) == (target, firer)
        if not answer:
            assert firer not in silenced
        elif firer in silenced:
            assert silenced[firer] == target
        if fired.fate in ("aborted", "eliminated"):
            silenced.setdefault(target, firer)


@given(skies(), SEEDS)
def test_fates_are_the_worst_results_and_nothing_else(air: Sky, seed: int) -> None:
    outcome = battle(air, seed)
    suffered: dict[str, list[str]] = defaultdict(list)
    for fired in outcome.fired:
        suffered[fired.shot.target].append(FATE_OF[fired.result])
    expected = {aid: worst(fates) for aid, fates in suffered.items()}
    assert outcome.fates == {aid: fate for aid, fate in expected.items() if fate}
    assert set(outcome.fates.values()) <= set(FATES)


@given(skies(), SEEDS)
def test_who_passes_is_not_heard_and_who_is_left_alone_is_silent(air: Sky, seed: int) -> None:
    outcome = battle(air, seed)
    final = outcome.sky
    past = [fired for fired in outcome.fired if fired.shot.step == "bypass"]
    assert all(final.flight(fired.shot.firer).flies_as == ESCORT for fired in past)
    shots = [fired.shot for fired in outcome.fired if fired.shot.step == "mission"]
    hunters = {shot.firer for shot in shots if final.flight(shot.firer).mission == INTERCEPT}
    attacked = {shot.target for shot in shots if final.flight(shot.target).mission != INTERCEPT}
    assert not hunters & final.attackers
    assert not hunters & {fired.shot.target for fired in past if fired.fate}
    assert {shot.firer for shot in shots} <= hunters | attacked
    force = {aid for aid, f in final.flights.items() if f.mission != INTERCEPT and f.flies_as != ESCORT}
    assert attacked <= force
    assert set(outcome.flown) == {aid for aid in force if not final.flight(aid).fate}


class Recorder:
    """Writes down what another policy decides."""

    def __init__(self, inner: Policy) -> None:
        self.inner, self.told = inner, dict[str, object]()

    def __getattr__(self, topic: str) -> object:
        decide = getattr(self.inner, topic)

        def noted(*seen: object) -> object:
            answer = decide(*seen)
            if topic == "sequence":
                self.told.setdefault(topic, {})[seen[1]] = answer  # type: ignore[index]
            else:
                self.told[topic] = answer
            return answer

        return noted


def renamed(value: object, names: dict[str, str]) -> object:
    """The same decisions about air units of other names."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(item, names) for key, item in value.items()}
    if isinstance(value, (list, tuple, frozenset)):
        return type(value)(renamed(item, names) for item in value)
    return names.get(str(value), value)


@given(skies(), SEEDS)
def test_results_do_not_hang_on_the_order_of_independent_fights(air: Sky, seed: int) -> None:
    """Other names turn the order of all fights round; decisions and dice of each pair are the same."""
    noted = Recorder(policy(seed)), Recorder(policy(seed // 4))
    first = fought(air, drawn(seed), *noted)  # type: ignore[arg-type]
    names = {aid: f"{aid[0]}{9 - int(aid[1:])}" for aid in air.flights}
    back = {new: old for old, new in names.items()}
    other = sky(*(replace(f, craft=replace(f.craft, id=names[aid])) for aid, f in air.flights.items()))
    again = [Told(**renamed(one.told, names)) for one in noted]  # type: ignore[arg-type]
    second = fought(other, drawn(seed, lambda aid: back[aid]), *again)
    assert {back[aid]: fate for aid, fate in second.fates.items()} == first.fates
    shots = {(back[f.shot.firer], back[f.shot.target], f.used, f.result) for f in second.fired}
    assert shots == {(f.shot.firer, f.shot.target, f.used, f.result) for f in first.fired}
