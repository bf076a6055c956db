"""The dice of a game counted and measured: ``audit`` (PROTOCOL 12)."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.common import WRONG, Fail, Json, player_side, print_json, say, write_result
from adjudicator.engine.counting import counted

if TYPE_CHECKING:
    from adjudicator.match.audit import Audit, Share

HONEST = (
    "What these numbers can't tell: whether the dice are fair. That is shown by the chain, which `verify` checks: each "
    "die was fixed by a link locked away before the game and by the signed orders, and neither player saw through "
    "both. The table only tells how lucky each of you was.",
    "A p below 0.05 comes up in one fair game of twenty, for each test. And a die that shows its six once in five "
    "throws instead of once in six is noticed in about one game of five with 300 dice, in every second one with 1000: "
    "a quiet table proves little, a loud one of a single game nothing.",
    "Runs of bad luck are looked for when the game is over, and a long game has one. How likely just these rolls were "
    "to fail says little; how likely such a run was somewhere in the game says what may be said.",
    "What cheats do (falling silent, two versions of a turn, choosing after the dice are known) leaves the dice fair; "
    "it shows in the log alone. A reason for alarm is a `verify` that fails, or a p below 0.000001 over thousands of "
    "dice: then look for a fault in how the program uses its dice.",
)
WIDTH = 110
ODDITIES = {
    "replaced": (
        "Turns that say they replace one which the rules rejected",
        "A turn that the rules reject may be signed anew once. The log holds the second alone, so it can't show that "
        "there was a first or what was wrong with it; who has its file sees it with `receive`. The dice of the first "
        "could be known only through an answer to it, and such an answer is proof in the other player's hands.",
    ),
    "restored": (
        "Turns after a log brought back from the other side",
        "A disk that died, as a rule. The other player gave his log and signed how far it goes; that he gave all of it "
        "nobody can prove but the one who lost his, by a copy of a turn that is missing there. What that one had "
        "signed above this point is void and no second version.",
    ),
    "lost": (
        "Chains lost",
        "Its author says that he can't open the dice of the turn before any more, and the other player allowed it and "
        "gave his orders anew, or closed the game. A secret that is gone can't be told from dice that were seen and "
        "not liked. The dice of that turn were never opened and are in no count here.",
    ),
    "upgraded": (
        "Messages that agree to other rules",
        "Both signed it. Each roll is measured by the rules that it was made under.",
    ),
    "rekeyed": (
        "Messages that bring another key",
        "The old key signed for the new one, and the new one for itself. A new computer, or a key that was stolen: the "
        "log shows which key signed, never who held it.",
    ),
    "reanchored": (
        "Messages that name a new chain",
        "Nothing for the dice: the new numbers were locked away in a message before the orders that they serve.",
    ),
    "forked": (
        "Numbers with two different signed turns",
        "Both are signed, so with the log they prove that their author made two versions; `export-proof` packs them. "
        "Why he did it they can't prove: an old copy of a folder does it as well as a wish for better dice. The dice "
        "of the turn that stands in the log are the same for ever. A second version that never reached this folder is "
        "not known here.",
    ),
}
"""What the log may hold that both players should know of: its name, and what it can mean and can't prove."""


def add_to(app: typer.Typer) -> None:
    """Enter the command."""
    app.command()(audit)


def audit(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="A game folder, or a bare log.jsonl.")],
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw both players' luck over the game.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Count the dice of a game and measure luck.

    Proves the log on the way, and says what such numbers can show and what not.
    """
    from adjudicator.report.luckplot import luck_plot

    found = _audited(path)
    if svg is not None:
        write_result(svg, luck_plot(found))
    if as_json:
        print_json(_tree(found, svg))
        return
    say(f"Dice of {found.title}, messages 0 to {found.head}; the log holds.")
    if found.local:
        from adjudicator.match.terms import LOCAL

        say(fill(LOCAL, WIDTH))
    for share in (*(found.share(side) for side in found.sides), found.share()):
        _show(found, share)
    _show_difference(found)
    say("Luck is summed over rolls as (value - expectation) / standard deviation. What a roll is worth to its roller:")
    for line in found.worth:
        say(fill(line, WIDTH, initial_indent="  ", subsequent_indent="    "))
    for name, seqs in found.oddities.items():
        listed = f" (message{'s' if len(seqs) > 1 else ''} {', '.join(map(str, seqs))})" if seqs else ""
        title, meaning = ODDITIES[name]
        say(f"{title}: {len(seqs)}{listed}")
        if seqs:
            say(fill(meaning, WIDTH, initial_indent="  ", subsequent_indent="  "))
    for sentence in HONEST:
        say()
        say(fill(sentence, WIDTH))
    if svg is not None:
        say()
        say(f"Picture: {svg}")


def _audited(path: Path) -> Audit:
    """The audit of a folder or log; what holds not is told as `verify` does. Raises Fail."""
    from adjudicator.match.audit import audit as count
    from adjudicator.match.folder import Folder
    from adjudicator.match.match import shelf_of
    from adjudicator.match.proof import find_log
    from adjudicator.protocol.log import read_log
    from adjudicator.protocol.verdicts import ProtocolError

    log = find_log(path)
    try:
        messages = read_log(log.read_bytes())
        if not messages or messages[0].body.get("type") != "genesis":
            raise Fail(f"{log}: error[E_CANON]: the log does not begin with a genesis; name the right file", code=WRONG)
        _check_genesis(log, messages[0].body)
        shelf = shelf_of(messages[0].body, Folder(log.parent))
        return count(shelf.first.table, messages, _forks(log.parent), shelf)
    except ProtocolError as error:
        shown = error.verdict.show()
        raise Fail(f"{log}: {shown}", "audit: only a log that holds is counted; see `verify`", code=WRONG) from None


def _check_genesis(log: Path, body: dict[str, Any]) -> None:
    for name in ("system", "scenario", "version", "pack", "switches", "players"):
        if name not in body:
            raise Fail(f"{log}: error[E_FIELD]: genesis has no `{name}`; see `verify`", code=WRONG)


def _forks(folder: Path) -> list[int]:
    """The numbers of second messages that a game folder keeps; none for a bare log."""
    from adjudicator.match.folder import Folder
    from adjudicator.match.match import Match

    if not Folder(folder).about.is_file():
        return []
    return [int(message.text("seq")) for message in Match.load(folder).verifier.forks]


def _show(found: Audit, share: Share) -> None:
    from adjudicator.match.audit import USUAL, face_test
    from adjudicator.match.statistics import mean_z, normal_p

    values = share.values
    name = f" ({found.names[share.side]})" if share.side in found.names else ""
    say(f"{player_side(share.side) + name if share.side else 'Both together'}:")
    more = f"; {share.others} draws besides, of one out of several" if share.others else ""
    say(f"  dice of six faces: {len(values)}{more}")
    if values:
        say("  faces 1 to 6: " + " ".join(str(count) for count in share.counts))
        tested = face_test(share)
        if tested is None:
            say(f"  chi-square: not with fewer than {5 * USUAL} dice")
        else:
            say(f"  chi-square {tested[0]:.2f}, {tested[1]} degrees of freedom, p {tested[2]:.3g}")
        mean, z = mean_z(values, USUAL)
        say(f"  mean {mean:.2f} (3.50 is expected), z {z:+.2f}")
    if share.side and share.stakes:
        say(f"  luck {share.luck:+.2f} in {counted(len(share.stakes), 'roll')}, z {share.luck_z:+.2f}, "
            f"p {normal_p(share.luck_z):.3g}")
        _show_drought(share)


def _show_drought(share: Share) -> None:
    drought = share.drought()
    if drought is None or drought.rolls < 2:
        return
    first, last = drought.first, drought.last
    where = f"message {first}" if first == last else f"messages {first} to {last}"
    text = (
        f"longest run without more than was to be expected: {drought.rolls} rolls, {where}; {drought.chance:.2g} is "
        f"the chance of just these going so, {drought.somewhere:.2g} that of such a run, or a longer one, somewhere in "
        "these rolls"
    )
    say(fill(text, WIDTH, initial_indent="  ", subsequent_indent="    "))


def _show_difference(found: Audit) -> None:
    first, second = (found.share(side) for side in found.sides)
    if first.stakes and second.stakes:
        spread = (len(first.stakes) + len(second.stakes)) ** 0.5
        difference = first.luck - second.luck
        say(f"Difference of luck, {first.side} less {second.side}: {difference:+.2f}, z {difference / spread:+.2f}")


def _tree(found: Audit, svg: Path | None) -> dict[str, Any]:
    from adjudicator.match.audit import share_tree
    from adjudicator.match.terms import LOCAL

    shares = [found.share(side) for side in found.sides]
    return {
        "ok": True,
        "title": found.title,
        "head": found.head,
        "local": found.local,
        "sides": [share_tree(share) for share in shares],
        "both": share_tree(found.share()),
        "difference": shares[0].luck - shares[1].luck,
        **found.oddities,
        "meaning": {name: ODDITIES[name][1] for name, seqs in found.oddities.items() if seqs},
        "worth": list(found.worth),
        "honest": [*((LOCAL,) if found.local else ()), *HONEST],
        "svg": str(svg) if svg else None,
    }
