"""Offer and genesis (PROTOCOL 4.1): what both sides agree on before the first message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.protocol import keys
from adjudicator.protocol.chain import MAX_LINKS, MIN_LINKS
from adjudicator.protocol.fields import check_version, is_cid, is_hash, is_slug, only, refuse, uint
from adjudicator.protocol.forms import genesis_decks
from adjudicator.protocol.message import message_id
from adjudicator.protocol.rules import rules_hash
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.canon import CanonError, canon_body
from adjudicator.turnfile.nodes import Tree

FIELDS = (
    "pbem",
    "type",
    "title",
    "system",
    "scenario",
    "version",
    "pack",
    "switches",
    "rules",
    "dice",
    "first",
    "players",
)
PLAYER = ("name", "side", "key", "cid", "anchor", "links", "nonce")


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played. `pack` is the pack digest in hex, `version` the number of the rules module, `switches` the
    house rules that differ from the default, `first` the side that moves first, `dice` p2p or local (no protection).
    """

    title: str
    system: str
    scenario: str
    version: int
    pack: str
    first: str
    switches: dict[str, Tree] = field(default_factory=dict)
    dice: str = "p2p"

    @property
    def rules(self) -> str:
        """The rules hash of these terms."""
        return rules_hash(self.system, self.version, self.pack, self.switches)


def make_offer(terms: Terms, player: Mapping[str, Tree]) -> dict[str, Tree]:
    """The offer of player a: genesis without `players.b`. Raises ProtocolError."""
    offer: dict[str, Tree] = {
        "pbem": "1",
        "type": "genesis",
        "title": terms.title,
        "system": terms.system,
        "scenario": terms.scenario,
        "version": str(terms.version),
        "pack": terms.pack,
        "switches": terms.switches,
        "rules": terms.rules,
        "dice": terms.dice,
        "first": terms.first,
        "players": {"a": dict(player)},
    }
    check_offer(offer)
    return offer


def complete_offer(offer: Mapping[str, Tree], player: Mapping[str, Tree]) -> dict[str, Tree]:
    """Genesis: the offer with player b. Raises ProtocolError when offer or result is not valid."""
    check_offer(offer)
    genesis = dict(offer)
    genesis["players"] = {"a": _players(offer)["a"], "b": dict(player)}
    check_genesis(genesis)
    return genesis


def check_offer(offer: Mapping[str, Tree]) -> None:
    """Raise ProtocolError (E_CANON E_VERSION E_FIELD E_RULES E_KEY) unless it is an offer of player a."""
    _check_terms(offer)
    players = _players(offer)
    only(players, ("a",), (), "players of an offer")
    _check_player("a", players["a"])


def check_genesis(genesis: Mapping[str, Tree]) -> None:
    """Raise ProtocolError unless it is a complete genesis. Its signature is checked by `Verifier`."""
    _check_terms(genesis)
    players = _players(genesis)
    only(players, ("a", "b"), (), "players")
    a, b = _check_player("a", players["a"]), _check_player("b", players["b"])
    for name in ("side", "key", "cid", "anchor"):
        if a[name] == b[name]:
            raise refuse(f"both players have the same {name}", "E_KEY")
    if genesis["first"] not in (a["side"], b["side"]):
        raise refuse(f"`first` is {genesis['first']!r}, the sides are {a['side']} and {b['side']}")


def same_offer(offer: Mapping[str, Tree], genesis: Mapping[str, Tree]) -> None:
    """Raise ProtocolError (E_GAME) when genesis differs from the offer anywhere but in `players.b`."""
    for name in sorted({*offer, *genesis} - {"players"}):
        if offer.get(name) != genesis.get(name):
            raise ProtocolError("E_GAME", f"genesis differs from the offer in `{name}`", 0)
    if _players(offer).get("a") != _players(genesis).get("a"):
        raise ProtocolError("E_GAME", "genesis differs from the offer in `players.a`", 0)


def game_id(genesis: Mapping[str, Tree]) -> str:
    """id(0) = H("pbem1/msg", canon(genesis)) in hex."""
    return message_id(_canonical(genesis))


def _canonical(tree: Mapping[str, Tree]) -> bytes:
    try:
        return canon_body(dict(tree))
    except CanonError as error:
        raise ProtocolError("E_CANON", str(error), 0) from None


def _players(genesis: Mapping[str, Tree]) -> dict[str, Tree]:
    players = genesis.get("players")
    if not isinstance(players, dict):
        raise refuse("`players` must be a mapping of a and b")
    return players


def _check_terms(genesis: Mapping[str, Tree]) -> None:
    """Everything but the players."""
    _canonical(genesis)
    check_version(genesis)
    only(genesis, FIELDS, (), "genesis")
    if genesis["type"] != "genesis":
        raise refuse("`type` must be genesis")
    for name in ("title", "scenario"):
        if not isinstance(genesis[name], str) or not genesis[name]:
            raise refuse(f"`{name}` must be a text")
    for name in ("system", "first"):
        if not is_slug(genesis[name]):
            raise refuse(f"`{name}` must be a slug: small letters, digits and -")
    if genesis["dice"] not in ("p2p", "local"):
        raise refuse("`dice` must be p2p or local")
    _check_rules(genesis)


def _check_rules(genesis: Mapping[str, Tree]) -> None:
    version, pack, switches = uint(genesis["version"]), genesis["pack"], genesis["switches"]
    if version is None:
        raise refuse("`version` must be a whole number")
    if not isinstance(pack, str) or not is_hash(pack) or not is_hash(genesis["rules"]):
        raise refuse("`pack` and `rules` must be 64 small hex digits")
    if not isinstance(switches, dict):
        raise refuse("`switches` must be a mapping, {} if there are none")
    if rules_hash(str(genesis["system"]), version, pack, switches) != genesis["rules"]:
        raise refuse("`rules` is not the hash of system, version, pack and switches", "E_RULES")


def _check_player(which: str, player: Tree) -> dict[str, str]:
    """The fields of a player as texts."""
    if not isinstance(player, dict):
        raise refuse(f"players.{which} must be a mapping")
    only(player, PLAYER, ("decks",), f"players.{which}")
    if "decks" in player:
        genesis_decks(player["decks"], f"players.{which}.decks")
    texts = {name: value for name, value in player.items() if isinstance(value, str)}
    if len(texts) != len({*player} - {"decks"}) or not texts["name"]:
        raise refuse(f"players.{which}: every field must be a text")
    if not is_slug(texts["side"]):
        raise refuse(f"players.{which}: `side` must be a slug")
    if not (is_cid(texts["cid"]) and is_hash(texts["anchor"]) and is_hash(texts["nonce"])):
        raise refuse(f"players.{which}: cid has 32, anchor and nonce 64 small hex digits")
    links = uint(texts["links"])
    if links is None:
        raise refuse(f"players.{which}: `links` must be a whole number")
    if not MIN_LINKS <= links <= MAX_LINKS:
        raise refuse(f"players.{which}: {links} links, allowed are {MIN_LINKS} to {MAX_LINKS}", "E_KEY")
    keys.check_public_key(texts["key"])
    return texts
