"""Beginning a game: offer, genesis, the offerer's assent (PROTOCOL 4.1)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.engine.counting import counted
from adjudicator.engine.game import Table
from adjudicator.match.facedown import deck_rows
from adjudicator.match.files import PRIVATE, lock, write_whole
from adjudicator.match.folder import GENESIS_FILE, Folder, FolderError, reason
from adjudicator.match.games import game, pack_of, table, table_over
from adjudicator.match.keyring import load_key
from adjudicator.match.match import Match, rules_for, table_for
from adjudicator.match.overlays import OVERLAY_FILE, Laid, keep
from adjudicator.match.resolver import MatchResolver
from adjudicator.match.sheets import layout_of
from adjudicator.match.terms import check_terms
from adjudicator.protocol.chain import USUAL_LINKS
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.genesis import Terms, check_offer, complete_offer, make_offer, same_offer
from adjudicator.protocol.keys import KeyFileError, SigningKey
from adjudicator.protocol.log import read_offer, write_line, write_offer, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.rules import pack_digest
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree

OFFER_FILE = "offer.turn"
OWN_KEY = "private/key"


@dataclass(frozen=True)
class Player:
    """Who plays from a folder: name, and the key file (None: a fresh key inside the folder)."""

    name: str
    key: Path | None = None
    key_seed: bytes | None = None
    links: int = USUAL_LINKS
    random: Callable[[int], bytes] = os.urandom


def make_game(
    root: Path,
    system: str,
    scenario: str,
    player: Player,
    title: str,
    switches: Mapping[str, str] | None = None,
    overlay: Laid | None = None,
    dice: str = "p2p",
) -> Path:
    """Make the proposer's folder and his offer; returns the file to mail, beside which an overlay lies as a second one.

    ``dice`` is ``local`` for solo and hot-seat play, which nothing protects. Raises FolderError for a folder that is
    in use, ValueError for an unknown game or scenario.
    """
    rules = game(system)
    pack = pack_of(system) if overlay is None else overlay.pack
    given_switches = tuple(sorted((switches or {}).items()))
    own = table(system, scenario, given_switches) if overlay is None else table_over(pack, scenario, given_switches)
    first = rules.first(pack.tree, scenario)
    given: dict[str, Tree] = {name: str(value) for name, value in (switches or {}).items()}
    terms = Terms(title, system, scenario, rules.version, pack_digest(pack.tree), first, given, dice)
    folder = _fresh(root)
    key, where = _key(folder, player)
    secret = Secret.fresh(key.public, player.links, player.random)
    offer = make_offer(terms, _seated(own, secret, player.name, rules.sides[0]))
    check_terms(rules, pack, offer)
    with lock(folder.private):
        _fresh(root)
        _keep_secrets(folder, key, where, secret)
        write_whole(folder.offer, write_offer(offer))
        if overlay is not None:
            keep(folder, overlay)
        folder.write_about(_about(terms, player.name, rules.sides[0], where, overlay))
        return resend_offer(root)


def _seated(rules: Table, secret: Secret, name: str, side: str) -> dict[str, Tree]:
    """A player as genesis names him, with his decks in a game that has them (PROTOCOL 4.1, 6)."""
    return {**secret.player(name, side), **deck_rows(layout_of(rules), side, secret)}


def resend_offer(root: Path) -> Path:
    """Write the offer's file again, the same bytes, and beside it the overlay's where there is one.

    Raises FolderError where no offer was made.
    """
    folder = Folder(root)
    if not folder.offer.is_file():
        raise FolderError(f"{root}: no offer was made here; make one with `new`")
    path = folder.outbox / OFFER_FILE
    write_whole(path, folder.offer.read_bytes())
    _mail_overlay(folder)
    return path


def _mail_overlay(folder: Folder) -> None:
    """The overlay as a file to mail beside the offer."""
    if folder.overlay.is_file():
        write_whole(folder.outbox / OVERLAY_FILE, folder.overlay.read_bytes())


def check_overlay(data: bytes, overlay: Laid | None) -> None:
    """Raise FolderError unless an offer names the pack of this program, or the one that an overlay makes of it.

    ReadError or ProtocolError for a file that is no valid offer.
    """
    offer = read_offer(data)
    check_offer(offer)
    rules, wanted = rules_for(offer), str(offer["pack"])
    own = pack_digest(pack_of(rules.system, rules.version).tree)
    if overlay is None and wanted != own:
        raise FolderError(
            f"the offer is made over other data of {rules.system}: it names the pack {wanted[:12]}, this program has "
            f"{own[:12]}; give the overlay that was mailed with it with --overlay FILE, or, where there is none, use "
            "the version of the program it was made with"
        )
    if overlay is not None and wanted == own:
        raise FolderError("the offer is made over the data this program has, without an overlay; leave --overlay out")
    if overlay is not None and wanted != overlay.digest:
        raise FolderError(
            f"the overlay gives the pack {overlay.digest[:12]}, the offer names {wanted[:12]}; take the file that came "
            "with the offer, and the version of the program it was made with"
        )


def accept_offer(root: Path, data: bytes, player: Player, overlay: Laid | None = None) -> Path:
    """Make the accepter's folder, sign genesis and open the log with it; returns the file to mail.

    Raises ReadError or ProtocolError for a file that is no valid offer, FolderError for rules or data this program
    does not have, or a folder that is in use.
    """
    check_overlay(data, overlay)
    offer = read_offer(data)
    rules = table_for(offer) if overlay is None else table_laid(offer, overlay)
    folder = _fresh(root)
    key, where = _key(folder, player)
    secret = Secret.fresh(key.public, player.links, player.random)
    genesis = sign_body(complete_offer(offer, _seated(rules, secret, player.name, rules.sides[1])), key)
    _check(genesis, rules)
    named = rules_for(offer)
    check_terms(named, pack_of(named.system, named.version) if overlay is None else overlay.pack, genesis.body)
    with lock(folder.private):
        _fresh(root)
        _keep_secrets(folder, key, where, secret)
        if overlay is not None:
            keep(folder, overlay)
        folder.write_journal(genesis, anew=True)
        folder.write_about(_about_body(offer, player.name, rules.sides[1], where, overlay))
        match = _begin(folder, genesis)
        path = folder.outbox / GENESIS_FILE
        write_whole(path, write_turn(match.message(0)))
        return path


def offer_terms(data: bytes) -> dict[str, str]:
    """What an offer proposes, in words: title, system, scenario, switches, the player it is from.

    Raises ReadError or ProtocolError for a file that is no valid offer.
    """
    offer = read_offer(data)
    check_offer(offer)
    players, switches = offer["players"], offer["switches"]
    proposer = players.get("a") if isinstance(players, dict) else None
    given = switches.items() if isinstance(switches, dict) else ()
    return {
        **{name: str(offer[name]) for name in ("title", "system", "scenario", "dice")},
        "switches": ", ".join(f"{name}={value}" for name, value in sorted(given)),
        "from": f"{proposer['name']} ({proposer['side']})" if isinstance(proposer, dict) else "",
    }


def receive_genesis(root: Path, message: Message) -> Match:
    """The proposer takes genesis in: it must be his offer, completed, and the first of its kind.

    Raises ProtocolError (E_GAME, E_SIG ...) or FolderError.
    """
    folder = Folder(root)
    folder.require()
    if folder.begun():
        raise _second_genesis(folder, message)
    if not folder.offer.is_file():
        raise FolderError(f"{root}: no offer was made here; use `accept` to take another player's offer up")
    same_offer(read_offer(folder.offer.read_bytes()), message.body)
    _check(message, table_for(message.body, folder))
    folder.write_journal(message, anew=True)
    return _begin(folder, message)


def _second_genesis(folder: Folder, message: Message) -> ProtocolError:
    """What a genesis is that comes to a game already begun: the same again, another game's, or a second on one offer.

    The last proves something against its signer if he is the player of this game (PROTOCOL 4.1).
    """
    old = Match.load(folder.root).verifier
    if old.game_id == message.id:
        return ProtocolError("DUPLICATE", "", 0, message.id)
    same_offer(old.genesis.body, message.body)
    new = _check(message, table_for(message.body, folder))
    same = new.key(new.players[1].side) == old.key(old.players[1].side)
    by = "by the same player" if same else "by another key, which proves nothing against the player of this game"
    return ProtocolError("E_FORK", f"this offer was completed already; the second genesis is {by}", 0, message.id)


def write_line_of(message: Message) -> bytes:
    """A message as its line of the log, without the line end."""
    return write_line(message).removesuffix(b"\n")


def _check(genesis: Message, rules: Table) -> Verifier:
    """Raise ProtocolError unless a game can begin with this genesis."""
    return Verifier(genesis, MatchResolver.fresh(rules))


def table_laid(offer: Mapping[str, Any], overlay: Laid) -> Table:
    """The table of an offer over the pack that an overlay makes. Raises FolderError for its scenario or switches."""
    switches = offer["switches"] if isinstance(offer["switches"], dict) else {}
    given = tuple(sorted((name, str(value)) for name, value in switches.items()))
    rules = rules_for(offer)
    check_terms(rules, overlay.pack, offer)
    try:
        return table_over(overlay.pack, str(offer["scenario"]), given, rules.version)
    except ValueError as error:
        raise FolderError(f"this game can't be played with this program: {error}") from None


def _begin(folder: Folder, genesis: Message) -> Match:
    folder.write_log([write_line_of(genesis)])
    return Match.load(folder.root)


def _fresh(root: Path) -> Folder:
    folder = Folder(root)
    if folder.about.exists() or folder.log.exists():
        raise FolderError(
            f"{root}: there is a game in this folder already; name another one, or go on with it: `status` says where "
            "it stands, `resend` writes what is to be mailed once more"
        )
    if root.exists() and not root.is_dir():
        raise FolderError(f"{root}: this is a file; name a folder")
    return folder


def _key(folder: Folder, player: Player) -> tuple[SigningKey, str]:
    if player.key is not None:
        try:
            return load_key(player.key, strict=True), _key_name(folder, player.key)
        except KeyFileError as error:
            raise FolderError(f"{player.key}: {error}") from None
        except OSError as error:
            raise FolderError(f"{player.key}: {reason(error)}; make a key with `keygen`") from None
    path = folder.root / OWN_KEY
    if path.exists():
        return SigningKey.load(path), OWN_KEY
    seed = player.key_seed
    return (SigningKey.from_seed(seed, player.name) if seed else SigningKey.generate(player.name)), OWN_KEY


def _key_name(folder: Folder, key: Path) -> str:
    """A key beside the game folder by its way from there, so that both can move together; any other by its place."""
    near, place = folder.root.resolve().parent, key.resolve()
    return f"../{place.relative_to(near).as_posix()}" if place.is_relative_to(near) else str(place)


def _keep_secrets(folder: Folder, key: SigningKey, where: str, secret: Secret) -> None:
    """Write a fresh key and the secret, when nothing can refuse the game any more."""
    folder.private.mkdir(parents=True, exist_ok=True)
    folder.private.chmod(0o700)
    if where == OWN_KEY and not (folder.root / OWN_KEY).exists():
        key.save(folder.root / OWN_KEY)
    write_whole(folder.secret, secret.text(), PRIVATE)


def _about(terms: Terms, name: str, side: str, key: str, overlay: Laid | None) -> dict[str, Tree]:
    return {
        "title": terms.title, "system": terms.system, "scenario": terms.scenario, "name": name, "side": side,
        "key": key, "switches": terms.switches, **_told(overlay),
    }


def _about_body(
    offer: Mapping[str, Any], name: str, side: str, key: str, overlay: Laid | None
) -> dict[str, Tree]:
    about: dict[str, Tree] = {field: offer[field] for field in ("title", "system", "scenario")}
    return {**about, "name": name, "side": side, "key": key, "switches": offer["switches"], **_told(overlay)}


def _told(overlay: Laid | None) -> dict[str, Tree]:
    if overlay is None:
        return {}
    return {"overlay": f"{counted(len(overlay.corrections), 'correction')}, see {OVERLAY_FILE}"}
