"""What happens in the demo of Shifting Sands: from keys to audit, over two action rounds of Summer 1940."""

from __future__ import annotations

from adjudicator.cli.common import say
from adjudicator.cli.demo import Stage
from adjudicator.cli.story import ALICE, BOB, bare

BLANK = "HIGHEST"
OFFERED = "  #   card: "
OTHER = {ALICE: BOB, BOB: ALICE}


def play(stage: Stage) -> None:
    """The whole demo."""
    begin(stage)
    set_up(stage)
    first_round(stage)
    allied_round(stage)
    second_round(stage)
    counter_attack(stage)
    export(stage)
    audit(stage)
    close(stage)


def begin(stage: Stage) -> None:
    """Keys, offer, genesis."""
    stage.title("Two players, two computers, no server")
    stage.tell("Alice plays the Axis, Bob the Allies. They share nothing but the files they mail. First, keys.")
    stage.type(ALICE, "keygen alice.key --name Alice")
    stage.type(BOB, "keygen bob.key --name Bob")
    stage.tell("The Axis player proposes the game.")
    new = f'new shifting-sands campaign {stage.game} --name Alice --key alice.key --title "First rounds"'
    stage.type(ALICE, new)
    offer = stage.mail(ALICE, BOB, "offer.turn")
    stage.type(BOB, f"accept {offer} {stage.game} --name Bob --key bob.key")
    genesis = stage.mail(BOB, ALICE, "genesis.turn")
    stage.type(ALICE, f"receive {stage.game} {genesis}")


def set_up(stage: Stage) -> None:
    """Messages 1 and 2 carry no orders: the hands are drawn on their dice."""
    stage.title("Set-up: two messages without orders")
    stage.tell("The Axis hand is drawn on the dice of message 1, the Allied one on those of message 2.")
    bare(stage, ALICE, BOB, 1)
    bare(stage, BOB, ALICE, 2)
    stage.type(ALICE, f"status {stage.game}")


def turn(stage: Stage, player: str, example: str, seq: int) -> None:
    """A player writes, checks, signs and mails a turn; the other takes it in."""
    file = f"m{seq:02d}.yaml"
    stage.type(player, f"template {stage.game} -o {file}")
    fill(stage, player, file, example)
    stage.type(player, f"check {file} --game {stage.game}")
    send(stage, player, file, seq)


def fill(stage: Stage, player: str, file: str, example: str) -> None:
    """The orders of the example, the card being the one that the template offers: the highest in hand."""
    lines = (stage.home(player) / file).read_text(encoding="utf-8").splitlines()
    card = next((line.removeprefix(OFFERED) for line in lines if line.startswith(OFFERED)), "")
    stage.write(player, file, example, {BLANK: card} if card else None)


def send(stage: Stage, player: str, file: str, seq: int) -> None:
    """Sign a checked file, mail it, take it in."""
    stage.type(player, f"sign {file} --game {stage.game}", answer="y\n")
    mailed = stage.mail(player, OTHER[player], f"*-{seq:04d}-*.turn")
    stage.type(OTHER[player], f"receive {stage.game} {mailed}")


def first_round(stage: Stage) -> None:
    """The Axis attack on Halfaya: orders, the defender's answer, what follows."""
    stage.title("Round 1, the Axis action: Halfaya")
    turn(stage, ALICE, "01-axis-round.yaml", 3)
    stage.tell("No die is rolled yet: Bob answers first. The template shows both fires and every choice.")
    stage.type(BOB, f"template {stage.game}")
    turn(stage, BOB, "02-allied-reaction.yaml", 4)
    stage.tell("The fire dice come from Bob's answer; Alice holds their key.")
    stage.type(ALICE, f"report {stage.game} 4")
    turn(stage, ALICE, "03-axis-followup.yaml", 5)


def allied_round(stage: Stage) -> None:
    """The Allied moves, with a planted error."""
    stage.title("Round 1, the Allied action: up to Sofafi")
    file = "m06.yaml"
    stage.type(BOB, f"template {stage.game} -o {file}")
    fill(stage, BOB, file, "04-allied-draft.yaml")
    stage.tell("A unit moves out of a space that is not activated. `check` names the line, the rule and the mend.")
    stage.type(BOB, f"check {file} --game {stage.game}", wanted=1)
    stage.type(BOB, f"template {stage.game} -o {file} --force")
    fill(stage, BOB, file, "04-allied-round.yaml")
    stage.type(BOB, f"check {file} --game {stage.game}")
    send(stage, BOB, file, 6)


def second_round(stage: Stage) -> None:
    """Two combats in one action, both answered in one message."""
    stage.title("Round 2, the Axis action: two attacks, one answer")
    turn(stage, ALICE, "05-axis-round.yaml", 7)
    turn(stage, BOB, "06-allied-reaction.yaml", 8)
    turn(stage, ALICE, "07-axis-followup.yaml", 9)
    stage.type(BOB, f"report {stage.game} 8")


def counter_attack(stage: Stage) -> None:
    """The flank attack on Sidi Suleiman: its die, the answer, the sequence of fire."""
    stage.title("Round 2, the Allied action: a flank attack")
    turn(stage, BOB, "08-allied-round.yaml", 10)
    stage.tell("The flank die is open, the fire dice are not: they come from Alice's answer.")
    turn(stage, ALICE, "09-axis-reaction.yaml", 11)
    turn(stage, BOB, "10-allied-followup.yaml", 12)
    stage.type(ALICE, f"report {stage.game} 11")
    stage.type(BOB, f"report {stage.game} 11 -o sidi-suleiman.md")


def audit(stage: Stage) -> None:
    """Both verify; then somebody tampers."""
    stage.title("Audit: anybody can prove the whole game, offline")
    stage.type(ALICE, f"verify {stage.game}")
    stage.tell("Bob edits his log: he never answered by falling back to Khartoum.")
    log = stage.home(BOB) / stage.game / "log.jsonl"
    (stage.home(BOB) / "tampered.jsonl").write_text(
        log.read_text(encoding="utf-8").replace('"to":["Khartoum"]', '"to":["Kassala"]', 1),
        encoding="utf-8",
        newline="\n",
    )
    stage.type(BOB, "verify tampered.jsonl --brief", wanted=1)
    stage.type(ALICE, f"status {stage.game}")


def export(stage: Stage) -> None:
    """The game for VASSAL."""
    stage.title("The board, for VASSAL")
    stage.home("exported")
    stage.type(BOB, "export vmod sands -o ../exported/shifting-sands.vmod")
    stage.type(BOB, "export save sands -o ../exported/sands.vsav")
    stage.type(BOB, "export log sands 8 -o ../exported/kassala.vlog")


def close(stage: Stage) -> None:
    """What is left for the reader to look at."""
    stage.title("What is in the folder now")
    say(f"{stage.name}")
    folders = f"  alice/{stage.game}, bob/{stage.game}"
    say(f"{folders}   the two game folders; log.jsonl in each is the game, the same to the byte")
    say("  .../reports              the story of every message, for each player")
    say("  .../outbox               the files that were mailed")
    say("  exported                 the VASSAL module, a save and a log")
    say("  m03.yaml ... m12.yaml    the turn files as the players wrote them, odd ones Alice's, even ones Bob's")
    say("Round 3 comes next, and the Axis player owes message 13.")
