"""Runner of the form air_combat (CASE-FORMS 6), the order to split interceptors, and the table of air combat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from adjudicator.engine.casecheck import Found, NotBuilt, Ordered
from adjudicator.engine.core import Problem, Roll
from adjudicator.western_desert.air import allocation, engagement
from adjudicator.western_desert.air.craft import AIRLIFT, ELIMINATED, ESCORT, INTERCEPT, UNHURT, Flight
from adjudicator.western_desert.air.engagement import Outcome, Policy, fight
from adjudicator.western_desert.air.policies import Defaults
from adjudicator.western_desert.air.shots import Fired, Series, Shot, aim, fire
from adjudicator.western_desert.air.sky import BYPASS, MISSION, SCREEN, Pairs, Sky, sky_over
from adjudicator.western_desert.air.tables import air_tables
from adjudicator.western_desert.cases.aircraft import OF_MISSION, flight_from_record
from adjudicator.western_desert.cases.build import real_world
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import dice_of
from adjudicator.western_desert.cases.lookups import Asked, permission, table

PLACE = "19.0726"
BOMBS = OF_MISSION["bombing"]
ROLES = {"E": "escort", "I": "interceptor"}
"""What an id alone says; any other is one of the mission force."""
RESULT_OF = {"turned_back": "R", "aborted": "A", "eliminated": "K"}
ASIDE = ("gs", "arrived", "escaped_this_turn", "state", "fate", "attacks_made", "passed")
"""Facts of air units that could change an answer and that this form doesn't read."""


@table("air_combat", "result")
def _air_combat(asked: Asked) -> Asked:
    return (air_tables(real_world()).combat.result(int(str(asked[0])), int(str(asked[1]))),)


# --- the aircraft of a case -------------------------------------------------------------------------------------


def _flight(record: Record) -> Flight:
    """An air unit of the case; without role or mission a fighter intercepts, a transport carries, a bomber bombs."""
    aside = sorted(set(record) & set(ASIDE))
    if aside:
        raise NotBuilt(f"{', '.join(aside)} of an air unit is not read in the form air_combat")
    plain = {key: value for key, value in record.items() if key != "jettison"}
    mission = {"F": INTERCEPT, "NF": INTERCEPT, "T": AIRLIFT}.get(str(record.get("type")), BOMBS)
    bombs = record.get("role") == "mission" and mission == INTERCEPT
    return flight_from_record(plain, mission=BOMBS if bombs else mission)


def _bare(aid: str, role: str) -> Flight:
    """An air unit that is known by its id only."""
    return flight_from_record({"id": aid, "type": "B" if role == "mission" else "F", "role": role}, mission=BOMBS)


def _sky(case: Case) -> Sky:
    """The air of a case: its aircraft, and those whose ids alone are used."""
    given = case.given
    flights = {flight.id: flight for flight in map(_flight, as_records(given.get("air")))}
    roles = {str(aid): str(role) for aid, role in as_record(given.get("roles")).items()}
    for aid in _ids(given):
        if aid not in flights:
            flights[aid] = _bare(aid, roles.get(aid, ROLES.get(aid[0], "mission")))
    sky = sky_over(air_tables(real_world()), PLACE, flights.values())
    fates = {str(aid): str(fate) for aid, fate in as_record(given.get("after_screen")).items() if fate != "unharmed"}
    return replace(sky.after(fates), attackers=frozenset(as_texts(given.get("screen"))))


def _ids(given: Record) -> list[str]:
    """Every id that a case names, or that stands for one of a number of air units."""
    found: list[str] = []
    for key in ("screen", "bypass", "unengaged", "mission", "several", "single"):
        found += as_texts(given.get(key))
    for key in ("allocation", "engaged"):
        for aid, others in as_record(given.get(key)).items():
            found += [str(aid), *as_texts(others)]
    found += [str(aid) for aid in as_record(given.get("place"))]
    found += [aid for row in _rows(given, "results") for aid in row[:2]]
    for role, count in as_record(given.get("sides")).items():
        found += [f"{str(role)[0].upper()}{number}" for number in range(1, int(str(count)) + 1)]
    return list(dict.fromkeys(found))


def _rows(given: Record, key: str) -> list[list[str]]:
    rows = given.get(key)
    return [as_texts(row) for row in rows] if isinstance(rows, list) else []


def _pairs(given: Record) -> dict[str, str]:
    return {str(aid): str(other) for aid, other in as_record(given.get("allocation")).items()}


# --- the form ---------------------------------------------------------------------------------------------------


@form("air_combat")
def run_air_combat(case: Case) -> Found:
    """Shots alone, a stage of the procedure, or a whole battle."""
    stage = str(case.given.get("stage", ""))
    if stage:
        return STAGES[stage](case, _sky(case))
    if "shots" in case.given:
        return _shots_alone(case, _sky(case))
    return _battle(case, _sky(case))


def _dice(case: Case) -> Callable[[Shot], int]:
    source = dice_of(case)
    return lambda shot: sum(source(0, Roll(shot.label, "air_combat", count=2)))


def _shots_alone(case: Case, sky: Sky) -> Found:
    """The shots of a case, each for itself, after fighters have dropped their bombs."""
    problems = allocation.jettison_problems(sky, _light(case.given))
    sky = sky if problems else sky.jettisoned(_light(case.given))
    dice, fired = _dice(case), []
    for firer, target in _rows(case.given, "shots"):
        shot = aim(sky.tables, engagement.AT_SCREEN, sky.place, sky.flight(firer), sky.flight(target))
        fired.append(fire(sky.tables, shot, dice(shot)))
    return Found({**_shot_values(fired), **_unit_values(sky)}, [problems])


def _shot_values(fired: Sequence[Fired]) -> dict[str, object]:
    rows = [
        {"shot": Ordered(f.shot[1:3]), "diff": f.shot.differential, "used": f.used, "result": f.result} for f in fired
    ]
    columns = {key: Ordered([row[key] for row in rows]) for key in ("diff", "used", "result")}
    return {"shots": Ordered(rows), **columns}


class Told(Defaults):
    """The decisions of a case, where it says nothing the defaults."""

    def __init__(self, case: Case) -> None:
        self._given = case.given

    def jettison(self, sky: Sky) -> frozenset[str]:
        """The fighters whose owner has them drop their bombs."""
        return _light(self._given)

    def split(self, sky: Sky) -> frozenset[str]:
        """Those on the screen as the case has them."""
        told = "screen" in self._given or "bypass" in self._given
        return frozenset(as_texts(self._given.get("screen"))) if told else super().split(sky)

    def engage(self, sky: Sky) -> Pairs:
        """Who faces whom, the first escort of each interceptor."""
        told = as_record(self._given.get("engaged"))
        return {str(aid): as_texts(others)[0] for aid, others in told.items()} or super().engage(sky)

    def join(self, sky: Sky) -> Pairs:
        """The further escorts of an interceptor."""
        told = as_record(self._given.get("engaged"))
        return {other: str(aid) for aid, others in told.items() for other in as_texts(others)[1:]}

    def chase(self, sky: Sky) -> Pairs:
        """What the case allocates to escorts."""
        return {a: b for a, b in _pairs(self._given).items() if a in sky.escorts} or super().chase(sky)

    def strike(self, sky: Sky) -> Pairs:
        """What the case allocates to interceptors, as far as they have got through."""
        return {a: b for a, b in _pairs(self._given).items() if a in sky.bypass} or super().strike(sky)


def _light(given: Record) -> frozenset[str]:
    return frozenset(str(r.get("id")) for r in as_records(given.get("air")) if r.get("jettison") is True)


def _battle(case: Case, sky: Sky) -> Found:
    """A battle from preparation to end; without interceptors the preparation only."""
    sky = replace(sky, attackers=frozenset())
    problems: list[Problem] = []
    if sky.interceptors and case.dice is not None:
        told: Policy = Told(case)
        outcome = fight(sky, {allocation.FLYING: told, allocation.INTERCEPTING: told}, _dice(case))
    else:
        problems = allocation.jettison_problems(sky, _light(case.given))
        outcome = Outcome(sky if problems else sky.jettisoned(_light(case.given)), ())
    return Found({**_shot_values(outcome.fired), **_unit_values(outcome.sky)}, [problems])


def _unit_values(sky: Sky) -> dict[str, object]:
    flights = sky.flights
    return {
        "group": {aid: SCREEN if flight.flies_as == ESCORT else MISSION for aid, flight in flights.items()},
        "attack": {aid: flight.attack for aid, flight in flights.items()},
        "defense": {aid: flight.defense for aid, flight in flights.items()},
        "bombs": {aid: flight.bombing for aid, flight in flights.items()},
        **_fate_values(sky),
    }


def _fate_values(sky: Sky) -> dict[str, object]:
    """What has become of each air unit, and what that means for mission and landing."""
    flights = sky.flights
    landed = {
        aid: "eliminated" if f.fate == ELIMINATED else "inoperative" if engagement.inoperative(f) else "operative"
        for aid, f in flights.items()
    }
    return {
        "after": {aid: flight.fate or "unharmed" for aid, flight in flights.items()},
        "mission_flown": {aid: aid in sky.force for aid in flights},
        "on_landing": landed,
    }


# --- stages -----------------------------------------------------------------------------------------------------


def _split(case: Case, sky: Sky) -> Found:
    """Numbers of interceptors sent at the screen and past it, or groups ordered for single air units."""
    verdicts: list[list[Problem]] = []
    told = as_record(case.given.get("split"))
    if told:
        counts = [int(str(told.get(key, 0))) for key in (SCREEN, BYPASS)]
        if sum(counts) != len(sky.interceptors):
            raise ValueError("the split is not that of the interceptors there are")
        verdicts.append(allocation.split_problems(sky, sky.interceptors[: counts[0]]))
    for aid, group in as_record(case.given.get("place")).items():
        verdicts.append(allocation.group_problems(sky, str(aid), str(group)))
    return Found({}, verdicts)


def _screen(case: Case, sky: Sky) -> Found:
    """Distributions at the screen, by how many of the larger side each of the smaller one gets."""
    sky = replace(sky, attackers=frozenset(sky.interceptors))
    rows = case.given.get("allocations")
    listed = rows if isinstance(rows, list) else []
    return Found({}, [_distribution(sky, [int(str(n)) for n in row]) for row in listed])


def _distribution(sky: Sky, counts: Sequence[int]) -> list[Problem]:
    ours, escorts = sky.at_screen, sky.escorts
    if len(ours) >= len(escorts):
        return allocation.engage_problems(sky, {a: b for b, taken in _dealt(escorts, ours, counts) for a in taken})
    dealt = _dealt(ours, escorts, counts)
    engaged = {one: taken[0] for one, taken in dealt if taken}
    found = allocation.engage_problems(sky, engaged)
    joined = {other: one for one, taken in dealt for other in taken[1:]}
    return found or allocation.join_problems(replace(sky, engaged=engaged), joined)


def _dealt(few: Sequence[str], many: Sequence[str], counts: Sequence[int]) -> list[tuple[str, tuple[str, ...]]]:
    """The larger side dealt out to the smaller one in the numbers given."""
    if len(counts) != len(few) or sum(counts) > len(many):
        raise ValueError(f"the distribution {list(counts)} is not one of {len(many)} to {len(few)}")
    left = list(many)
    return [(one, tuple(left.pop(0) for _ in range(count))) for one, count in zip(few, counts, strict=True)]


def _series(case: Case, sky: Sky) -> Found:
    """A series as far as its shots have been made."""
    given = case.given
    series = Series(str(given.get("single")), tuple(as_texts(given.get("several"))))
    series, fates = _played(series, _results(given))
    sky = sky.after(fates).after({series.single: series.pending})
    values = _fate_values(sky)
    others = dict.fromkeys(series.several, False)
    return Found(
        {
            **values,
            "after_series": {aid: sky.flight(aid).fate or "unharmed" for aid in (series.single, *series.several)},
            "fires_again": {**others, series.single: series.fires and not series.over},
            "next_exchange": not series.over,
        }
    )


def _results(given: Record) -> dict[tuple[str, str], str]:
    """The fate that each shot made by a case brings, by shooter and target."""
    fates = {result: fate for fate, result in RESULT_OF.items()}
    return {(firer, target): fates.get(result, UNHURT) for firer, target, result in _rows(given, "results")}


def _played(series: Series, results: Mapping[tuple[str, str], str]) -> tuple[Series, dict[str, str]]:
    """A series with the shots made, and the fates of the several. Raises ValueError for a shot that nobody may make."""
    left = {pair: fate for pair, fate in results.items() if series.single in pair}
    fates: dict[str, str] = {}
    while left and not series.over:
        made = {target: left.pop((firer, target), UNHURT) for firer, target in series.exchange}
        fates.update({aid: fate for aid, fate in made.items() if aid != series.single})
        series = series.after(made)
    if left:
        raise ValueError(f"{next(iter(left))[0]} may not fire: the series is over or it is silenced")
    return series, fates


def _past(case: Case, sky: Sky) -> Found:
    """Unengaged escorts and those who try to pass."""
    pairs = _pairs(case.given)
    problems = allocation.chase_problems(sky, pairs)
    targets = list(dict.fromkeys(pairs.values()))
    all_series = [Series(t, tuple(a for a, b in pairs.items() if b == t), answers=False) for t in targets]
    fires = {**dict.fromkeys(sky.bypass, False), **{series.single: series.fires for series in all_series}}
    for series in all_series:
        played, _fates = _played(series, _results(case.given))
        sky = sky.after({played.single: played.pending})
    fought = dict.fromkeys(pairs, True)
    values = {"reach_mission": len(sky.bypass), "fires": {**fires, **fought}, "fires_again": fires}
    return Found({**values, **_fate_values(sky)}, [problems])


def _mission(case: Case, sky: Sky) -> Found:
    """Interceptors past the screen and the mission force: who is attacked fires, the others do nothing."""
    pairs = _pairs(case.given)
    fires = {aid: aid in (*pairs, *pairs.values()) for aid in (*sky.force, *sky.bypass)}
    return Found({"fires": fires}, [allocation.strike_problems(sky, pairs)])


STAGES: dict[str, Callable[[Case, Sky], Found]] = {
    "split": _split,
    "screen": _screen,
    "series": _series,
    "bypass": _past,
    "mission": _mission,
}


# --- allowed ----------------------------------------------------------------------------------------------------


@permission("split_interceptors")
def _may_split(case: Case, record: Record, found: Found) -> list[Problem]:
    """The division of the interceptors is their owner's (WD 21.A.split)."""
    by = str(record.get("by", "interceptor_player"))
    flying = by in ("escort_player", str(case.given.get("player", "")))
    return allocation.decider_problems("split", allocation.FLYING if flying else allocation.INTERCEPTING)
