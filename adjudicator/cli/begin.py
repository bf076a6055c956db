"""Beginning a game: ``keygen``, ``new``, ``accept`` (PROTOCOL 4.1)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.common import WRONG, Armor, Fail, Json, ask_for_pass_phrases, in_lines, print_json, read_bytes, say
from adjudicator.engine.counting import counted

if TYPE_CHECKING:
    from adjudicator.match.offers import Player
    from adjudicator.match.overlays import Laid

Name = Annotated[str, typer.Option("--name", metavar="NAME", help="Your name, as the other player shall read it.")]
KeyFile = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="Your key (OpenSSH Ed25519); else a fresh one.", show_default=False),
]

MOST_SHOWN = 60
Overlay = Annotated[
    Path | None,
    typer.Option("--overlay", metavar="FILE", help="Corrections laid over the pack.", show_default=False),
]


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    app.command()(keygen)
    app.command()(new)
    app.command()(accept)


def keygen(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the key goes; FILE.pub is its public half.")],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="A comment in the key.")] = "",
    as_json: Json = False,
) -> None:
    """Make a signing key for games.

    An OpenSSH Ed25519 key of your own does as well, but use no login key.
    """
    from adjudicator.cli import chance
    from adjudicator.protocol.keys import SigningKey

    if file.exists():
        raise Fail(
            f"{file}: error[file]: there is a file of that name; a key is never overwritten, choose another name"
        )
    key = SigningKey.from_seed(chance.random(32), name)
    key.save(file)
    public = file.with_name(f"{file.name}.pub")
    if as_json:
        print_json({"ok": True, "key": str(file), "public": str(public), "line": key.public})
        return
    say(f"Key: {file} (yours alone: never mail it), public half: {public}")
    say("Next: propose a game with `new`, or take one up with `accept`, with this key under --key.")


def new(
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="The game, as western-desert.")],
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="The scenario, as compass.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The game folder to make.")],
    name: Name,
    key: KeyFile = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="A title of your own for the game.")] = "",
    switch: Annotated[
        list[str] | None,
        typer.Option("--switch", metavar="NAME=VALUE", help="A house rule; may be given again.", show_default=False),
    ] = None,
    overlay: Overlay = None,
    local: Annotated[
        bool, typer.Option("--local", help="Mark the game as played without protection of its dice.")
    ] = False,
    hot_seat: Annotated[
        str, typer.Option("--hot-seat", metavar="NAME", help="Begin a game of both sides here, the second for NAME.")
    ] = "",
    armor: Armor = False,
    as_json: Json = False,
) -> None:
    """Propose a game.

    Makes its folder and the offer to mail. The Axis player proposes. For solo
    and hot-seat play, --hot-seat makes a folder for each side in DIR.
    """
    from adjudicator.match.offers import make_game

    laid = _laid(system, overlay)
    words = title or _title(system, scenario)
    dice = "local" if local or hot_seat else "p2p"
    try:
        root = folder / _sides(system)[0] if hot_seat else folder
        offer = make_game(root, system, scenario, _player(name, key), words, _switches(switch), laid, dice)
    except ValueError as error:
        raise Fail(f"error[usage]: {error}") from None
    if hot_seat:
        _begin_both(system, folder, offer, _player(hot_seat, None), laid, as_json)
        return
    lines = in_lines(offer) if armor else None
    files = [offer] if laid is None else [offer, offer.with_name("overlay.yaml")]
    files += [lines] if lines else []
    if as_json:
        print_json({"ok": True, "folder": str(folder), "offer": str(offer), "files": [str(file) for file in files]})
        return
    say(f"Game folder: {folder}. What is in {folder / 'private'} is yours alone: back it up, never mail it.")
    _say_corrections(laid)
    shown = f"{offer} or {lines}" if lines else str(offer)
    say(f"Mail this file: {shown}" if laid is None else f"Mail both files: {shown} and {files[1]}")
    say(f"Next: the other player answers with a genesis; take it in with `adjudicator receive {folder} FILE`.")


def accept(
    offer: Annotated[Path, typer.Argument(metavar="OFFER", help="The offer you were mailed.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The game folder to make.")],
    name: Name,
    key: KeyFile = None,
    overlay: Overlay = None,
    armor: Armor = False,
    as_json: Json = False,
) -> None:
    """Take up an offer.

    Makes your folder and the signed genesis to mail. An offer made with an
    overlay comes with its file.
    """
    from adjudicator.match.offers import accept_offer, offer_terms
    from adjudicator.turnfile.reader import ReadError

    data = _offered(offer)
    try:
        terms = offer_terms(data)
        laid = _laid(terms["system"], overlay)
        genesis = accept_offer(folder, data, _player(name, key), laid)
    except ReadError as error:
        raise Fail(*error.show(str(offer)).splitlines(), code=WRONG) from None
    files = [genesis, in_lines(genesis)] if armor else [genesis]
    if as_json:
        shown = [str(file) for file in files]
        print_json({"ok": True, "folder": str(folder), "genesis": str(genesis), "files": shown, "terms": terms})
        return
    say(f"You play {terms['title']} ({terms['system']}, scenario {terms['scenario']}) against {terms['from']}.")
    say(f"House rules: {terms['switches'] or 'none, all as printed'}.")
    if terms["dice"] == "local":
        from adjudicator.match.terms import LOCAL

        say(LOCAL)
    _say_corrections(laid)
    say(f"Game folder: {folder}. What is in {folder / 'private'} is yours alone: back it up, never mail it.")
    say(f"Mail this file: {' or '.join(str(file) for file in files)}")
    say(f"Next: the other player opens the set-up; take his message in with `adjudicator receive {folder} FILE`.")


def _sides(system: str) -> tuple[str, str]:
    from adjudicator.match.games import game

    return game(system).sides


def _begin_both(
    system: str, folder: Path, offer: Path, second: Player, laid: Laid | None, as_json: bool
) -> None:
    """The second player's folder beside the first, and the game begun between them."""
    from adjudicator.match.incoming import message_in
    from adjudicator.match.offers import accept_offer, receive_genesis
    from adjudicator.match.terms import LOCAL

    folders = [folder / side for side in _sides(system)]
    genesis = accept_offer(folders[1], offer.read_bytes(), second, laid)
    receive_genesis(folders[0], message_in(genesis.read_bytes(), str(genesis)))
    if as_json:
        print_json({"ok": True, "folders": [str(one) for one in folders], "dice": "local"})
        return
    say(f"Begun: {folders[0]} and {folders[1]}, one folder for each side. {LOCAL}")
    say("What one side signs lies in its outbox; `receive` it in the folder of the other.")
    say(f"Next: `adjudicator open {folders[0]}`, then `adjudicator receive {folders[1]} FILE` with the file it names.")


def _laid(system: str, overlay: Path | None) -> Laid | None:
    """The overlay a player names, laid over this program's pack. Raises Fail with all its faults."""
    from adjudicator.match.overlays import OverlayError, lay_over
    from adjudicator.packs.overlay import MAX_BYTES

    if overlay is None:
        return None
    try:
        return lay_over(system, read_bytes(overlay, MAX_BYTES), str(overlay))
    except OverlayError as error:
        raise Fail(*error.lines, code=WRONG) from None


def _say_corrections(laid: Laid | None) -> None:
    """What both players agree to by an overlay, value by value."""
    from adjudicator.cli.packs import correction

    if laid is None:
        return
    say(f"Data: the pack with {counted(len(laid.corrections), 'correction')} of the overlay, pack {laid.digest[:12]}:")
    for row in laid.corrections[:MOST_SHOWN]:
        say(f"  {correction(row)}")
    if len(laid.corrections) > MOST_SHOWN:
        say(f"  and {len(laid.corrections) - MOST_SHOWN} more, all in overlay.yaml")


def _offered(path: Path) -> bytes:
    """The offer in a file or saved mail. Raises Fail where there is none, or more than one."""
    from adjudicator.match.incoming import IncomingError, offer_in

    try:
        return offer_in(read_bytes(path), str(path))
    except IncomingError as error:
        raise Fail(*error.lines, code=WRONG) from None


def _player(name: str, key: Path | None) -> Player:
    from adjudicator.cli import chance
    from adjudicator.match.offers import Player

    ask_for_pass_phrases()
    if not name.strip():
        raise Fail("error[usage]: --name is empty; give the name the other player shall read")
    return Player(name.strip(), key, chance.random(32), random=chance.random)


def _title(system: str, scenario: str) -> str:
    return f"{system.replace('-', ' ').title()}: {scenario.replace('-', ' ').title()}"


def _switches(texts: list[str] | None) -> dict[str, str]:
    found = {}
    for text in texts or []:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise Fail(f"error[usage]: --switch {text} is no NAME=VALUE; write it as --switch name=value")
        found[name] = value
    return found
