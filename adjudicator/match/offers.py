"""Beginning a game: offer, genesis, the offerer's assent (PROTOCOL 4.1)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.match.files import write_whole
from adjudicator.match.folder import Folder, FolderError, reason
from adjudicator.match.games import game, pack_of, table
from adjudicator.match.match import Match, table_for
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.chain import USUAL_LINKS
from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.genesis import Terms, check_offer, complete_offer, make_offer, same_offer
from adjudicator.protocol.keys import KeyFileError, SigningKey
from adjudicator.protocol.log import read_line, read_offer, write_line, write_offer, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.rules import pack_digest
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree

OFFER_FILE = "offer.turn"
GENESIS_FILE = "genesis.turn"
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
    root: Path, system: str, scenario: str, player: Player, title: str, switches: Mapping[str, str] | None = None
) -> Path:
    """Make the proposer's folder and his offer; returns the file to mail.

    Raises FolderError for a folder that is in use, ValueError for an unknown game or scenario.
    """
    rules = game(system)
    pack = pack_of(system)
    table(system, scenario, tuple(sorted((switches or {}).items())))
    first = rules.first(pack.tree, scenario)
    given: dict[str, Tree] = {name: str(value) for name, value in (switches or {}).items()}
    terms = Terms(title, system, scenario, rules.version, pack_digest(pack.tree), first, given)
    folder = _fresh(root)
    key, where = _key(folder, player)
    secret = Secret.fresh(key.public, player.links, player.random)
    offer = make_offer(terms, secret.player(player.name, rules.sides[0]))
    _keep_secrets(folder, key, where, secret)
    path = folder.outbox / OFFER_FILE
    data = write_offer(offer)
    write_whole(folder.offer, data)
    folder.write_about(_about(terms, player.name, rules.sides[0], where))
    write_whole(path, data)
    return path


def resend_offer(root: Path) -> Path:
    """Write the offer's file again, the same bytes. Raises FolderError where no offer was made."""
    folder = Folder(root)
    if not folder.offer.is_file():
        raise FolderError(f"{root}: no offer was made here; make one with `new`")
    path = folder.outbox / OFFER_FILE
    write_whole(path, folder.offer.read_bytes())
    return path


def accept_offer(root: Path, data: bytes, player: Player) -> Path:
    """Make the accepter's folder, sign genesis and open the log with it; returns the file to mail.

    Raises ReadError or ProtocolError for a file that is no valid offer, FolderError for rules or data this program
    does not have, or a folder that is in use.
    """
    offer = read_offer(data)
    check_offer(offer)
    rules = table_for(offer)
    folder = _fresh(root)
    key, where = _key(folder, player)
    secret = Secret.fresh(key.public, player.links, player.random)
    genesis = sign_body(complete_offer(offer, secret.player(player.name, rules.sides[1])), key)
    _check(genesis)
    _keep_secrets(folder, key, where, secret)
    folder.write_journal(genesis, anew=True)
    folder.write_about(_about_body(offer, player.name, rules.sides[1], where))
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
        **{name: str(offer[name]) for name in ("title", "system", "scenario")},
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
        old = read_line(folder.lines()[0]) if folder.lines() else folder.journal_after(-1)[0]
        if old.id == message.id:
            Match.load(root)
            raise ProtocolError("DUPLICATE", "", 0, message.id)
        raise ProtocolError("E_FORK", "this offer was completed already; the second genesis is kept", 0, message.id)
    if not folder.offer.is_file():
        raise FolderError(f"{root}: no offer was made here; use `accept` to take another player's offer up")
    same_offer(read_offer(folder.offer.read_bytes()), message.body)
    _check(message)
    folder.write_journal(message, anew=True)
    return _begin(folder, message)


def write_line_of(message: Message) -> bytes:
    """A message as its line of the log, without the line end."""
    return write_line(message).removesuffix(b"\n")


def _check(genesis: Message) -> None:
    """Raise ProtocolError or FolderError unless a game can begin with this genesis."""
    Verifier(genesis, MatchResolver.fresh(table_for(genesis.body)))


def _begin(folder: Folder, genesis: Message) -> Match:
    folder.write_log([write_line_of(genesis)])
    return Match.load(folder.root)


def _fresh(root: Path) -> Folder:
    folder = Folder(root)
    if folder.about.exists() or folder.log.exists():
        raise FolderError(f"{root}: there is a game in this folder already; name another one")
    if root.exists() and not root.is_dir():
        raise FolderError(f"{root}: this is a file; name a folder")
    return folder


def _key(folder: Folder, player: Player) -> tuple[SigningKey, str]:
    if player.key is not None:
        try:
            return SigningKey.load(player.key), _key_name(folder, player.key)
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
    folder.secret.unlink(missing_ok=True)
    secret.save(folder.secret)


def _about(terms: Terms, name: str, side: str, key: str) -> dict[str, Tree]:
    return {
        "title": terms.title, "system": terms.system, "scenario": terms.scenario, "name": name, "side": side,
        "key": key, "switches": terms.switches,
    }


def _about_body(offer: Mapping[str, Any], name: str, side: str, key: str) -> dict[str, Tree]:
    about: dict[str, Tree] = {field: offer[field] for field in ("title", "system", "scenario")}
    return {**about, "name": name, "side": side, "key": key, "switches": offer["switches"]}
