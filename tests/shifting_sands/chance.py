"""Random small positions, as the program and as the second solver see them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from adjudicator.shifting_sands.cases.board import pack_world
from adjudicator.shifting_sands.position import first_state
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter, Link, Source, Space, World, joined
from tests.shifting_sands.solver import Man, Map

NAMES = tuple("ABCDEFGH")
TERRAIN = ("clear", "clear", "clear", "marsh", "mountain", "oasis")
NATIONS = {"axis": ("GE", "IT"), "allied": ("BR", "IND", "AUS", "US", "POL")}
ENEMY = {"axis": "allied", "allied": "axis"}
OASES = "Long Range Desert Group"


def random_world(rnd: Random) -> World:
    """A map of up to eight spaces: lines, dotted lines, oases, ports, one or two sources for each side."""
    names = NAMES[: rnd.randint(4, len(NAMES))]
    links = [Link(names[n], names[rnd.randrange(n)]) for n in range(1, len(names))]
    pairs = [rnd.sample(names, 2) for _ in range(rnd.randint(0, len(names)))]
    links += [Link(a, b) for a, b in pairs]
    seen = {frozenset((link.a, link.b)): link for link in links}
    links = [replace(link, only="battlegroups" if rnd.random() < 0.15 else "") for link in seen.values()]
    spaces = {name: _space(rnd, name) for name in names}
    base = pack_world()
    return replace(base, spaces=spaces, links=joined(links), counters={}, _effects={}, switches={})


def _space(rnd: Random, name: str) -> Space:
    sources = tuple(Source(side) for side in ENEMY if rnd.random() < 0.25)
    return Space(
        name=name,
        slug=name.lower(),
        region="Libya",
        terrain=rnd.choice(TERRAIN),
        control=rnd.choice(tuple(ENEMY)),
        port=rnd.random() < 0.25,
        sources=sources,
    )


def random_unit(rnd: Random, uid: str, side: str, small: bool = False, strong: bool = False) -> Counter:
    """A counter of a side."""
    big = not small and rnd.random() < 0.5
    cf = rnd.randint(2, 6) if strong else rnd.randint(0, 4)
    return Counter(
        id=uid,
        nation=rnd.choice(NATIONS[side]),
        size="division" if big else "battlegroup",
        type=rnd.choice(("infantry", "infantry", "armor")),
        cf=(cf, max(0, cf - 1)),
        lf=rnd.randint(1, 4) if big else rnd.randint(1, 2),
        mf=rnd.randint(2, 6),
        name=uid,
        short=uid,
    )


def random_siege(rnd: Random, world: World) -> State:
    """A position in which the Axis attacks: up to three strong stacks under Attack markers around a defended space."""
    state, _, target = random_position(rnd, world, "allied")
    for place in rnd.sample(state.world.neighbours(target), rnd.randint(1, len(state.world.neighbours(target)))):
        if state.friends(place, "allied") or state.world.spaces[place].terrain == "oasis":
            continue
        state.control[place], state.markers[place] = "axis", rnd.choice(("attack", "attack", "attack", "move"))
        for _ in range(rnd.randint(1, 3) - len(state.friends(place, "axis"))):
            _put(rnd, state, f"a{len(state.pieces)}", "axis", place, strong=True)
    for number in range(rnd.randint(0, 2)):
        _put(rnd, state, f"b{number}", "axis", "@reserve", small=True)
    return state


def random_position(rnd: Random, world: World, side: str = "") -> tuple[State, str, str]:
    """Units on a map and in the reserve; returns the state, the side that defends and the space it defends."""
    world = replace(world, counters={}, _effects={})
    state = first_state(world)
    if rnd.random() < 0.5:
        state.events[OASES] = 1
    side = side or rnd.choice(tuple(ENEMY))
    target = rnd.choice(list(world.spaces))
    state.control[target] = side
    for number in range(rnd.randint(1, 3)):
        _put(rnd, state, f"d{number}", side, target)
    for number in range(rnd.randint(0, 4)):
        _put(rnd, state, f"r{number}", side, "@reserve", small=True)
    for number in range(rnd.randint(0, 6)):
        where = rnd.choice([name for name in world.spaces if name != target])
        owner = state.owner(where)
        if len(state.friends(where, owner)) < 3:
            _put(rnd, state, f"x{number}", owner, where)
    return state, side, target


def _put(
    rnd: Random, state: State, uid: str, side: str, where: str, small: bool = False, strong: bool = False
) -> None:
    state.world.counters[uid] = random_unit(rnd, uid, side, small, strong)
    state.place(uid, where, rnd.random() < 0.4)


# --- the same for the second solver ---------------------------------------------------------------------------------


def man_of(state: State, uid: str) -> Man:
    """A unit as the second solver knows it."""
    counter, piece = state.counter(uid), state.pieces[uid]
    place = "reserve" if piece.at == "@reserve" else piece.at
    return Man(uid, counter.nation, counter.division, counter.armor, counter.lf, piece.reduced, place)


def map_of(state: State) -> Map:
    """The map and who stands where, as the second solver knows them."""
    world = state.world
    found = [link for ends in world.links.values() for link in ends.values()]
    spaces = world.spaces
    units = {name: [(state.counter(uid).side, uid) for uid in state.units_in(name)] for name in spaces}
    return Map(
        lines={frozenset((link.a, link.b)) for link in found},
        dotted={frozenset((link.a, link.b)) for link in found if link.only},
        owner=dict(state.control),
        oases={name for name, space in spaces.items() if space.terrain == "oasis"},
        ports={name for name, space in spaces.items() if space.port},
        sources={side: {n for n, s in spaces.items() if any(q.user == side for q in s.sources)} for side in ENEMY},
        units=units,
        oases_open=OASES in state.events,
    )
