"""What happens in the demo: from keys to audit, over the Allied surprise turn and the turn after it (WD 28.B.3)."""

from __future__ import annotations

from adjudicator.cli.common import say
from adjudicator.cli.demo import Stage

ALICE, BOB = "alice", "bob"


def play(stage: Stage) -> None:
    """The whole demo."""
    begin(stage)
    set_up(stage)
    surprise_movement(stage)
    surprise_combat(stage)
    regular_turn(stage)
    audit(stage)
    vassal(stage)
    close(stage)


def begin(stage: Stage) -> None:
    """Keys, offer, genesis."""
    stage.title("Two players, two computers, no server")
    stage.tell("Alice plays the Axis, Bob the Allies. They share nothing but the files they mail. First, keys.")
    stage.type(ALICE, "keygen alice.key --name Alice")
    stage.type(BOB, "keygen bob.key --name Bob")
    stage.tell("The Axis player proposes the game.")
    stage.type(ALICE, 'new western-desert compass compass --name Alice --key alice.key --title "Compass"')
    offer = stage.mail(ALICE, BOB, "offer.turn")
    stage.type(BOB, f"accept {offer} compass --name Bob --key bob.key")
    genesis = stage.mail(BOB, ALICE, "genesis.turn")
    stage.type(ALICE, f"receive compass {genesis}")


def set_up(stage: Stage) -> None:
    """Messages 1 to 3 carry no orders: they open the dice of the set-up."""
    stage.title("Set-up: three messages without orders")
    stage.tell("Each message opens the sender's next secret. It is the key of the dice of the message before.")
    bare(stage, ALICE, BOB, 1)
    bare(stage, BOB, ALICE, 2)
    bare(stage, ALICE, BOB, 3)
    stage.type(BOB, "status compass")


def bare(stage: Stage, sender: str, receiver: str, seq: int) -> None:
    """A message without orders, mailed and taken in."""
    stage.type(sender, f"open {stage.game}")
    file = stage.mail(sender, receiver, f"*-{seq:04d}-*.turn")
    stage.type(receiver, f"receive {stage.game} {file}")


def orders(stage: Stage, file: str, example: str, seq: int, tried: bool = False, who: str = BOB) -> None:
    """A player writes, checks, perhaps tries, signs and mails a turn; the other takes it in."""
    stage.type(who, f"template compass -o {file}")
    stage.write(who, file, example)
    stage.type(who, f"check {file} --game compass")
    if tried:
        stage.tell("What may come of it? A hundred tries with local dice; the real ones will be others.")
        stage.type(who, f"try {file} --game compass --seed demo")
    send(stage, file, seq, who)


def send(stage: Stage, file: str, seq: int, who: str = BOB) -> None:
    """Sign a checked file, mail it, take it in."""
    other = ALICE if who == BOB else BOB
    stage.type(who, f"sign {file} --game compass", answer="y\n")
    mailed = stage.mail(who, other, f"*-{seq:04d}-*.turn")
    stage.type(other, f"receive compass {mailed}")


def surprise_movement(stage: Stage) -> None:
    """P1 of the surprise turn, with a planted error."""
    stage.title("Dec I 40, the Allied surprise turn: movement")
    stage.type(BOB, "template compass -o p1.yaml")
    stage.write(BOB, "p1.yaml", "1-draft.yaml")
    stage.tell("One order is more than the unit can do. `check` names the line, the rule, the figures and the mend.")
    stage.type(BOB, "check p1.yaml --game compass", wanted=1)
    stage.tell("`sign` would refuse the file too. Where could the regiment go?")
    stage.type(BOB, 'moves "7 RTR" --to 19/0727 --game compass')
    stage.tell("Bob mends the order.")
    stage.write(BOB, "p1.yaml", "1-movement.yaml")
    stage.type(BOB, "check p1.yaml --game compass")
    stage.tell("Before sealing, every order is read back as a sentence.")
    send(stage, "p1.yaml", 4)
    bare(stage, ALICE, BOB, 5)


def surprise_combat(stage: Stage) -> None:
    """P2 of the surprise turn: Nibeiwa and the Tummars."""
    stage.title("Dec I 40, the Allied surprise turn: combat")
    orders(stage, "p2.yaml", "2-combat.yaml", 6, tried=True)
    stage.tell("Alice holds the key of these dice: she knows the result first, and can do nothing about it.")
    stage.type(ALICE, "report compass 6")
    bare(stage, ALICE, BOB, 7)


def regular_turn(stage: Stage) -> None:
    """P1, R1 and P2 of the regular turn: bombers over El Adem, then Sidi Barrani."""
    stage.title("Dec I 40, the regular Allied turn: movement and flights")
    orders(stage, "p3.yaml", "3-movement.yaml", 8)
    reaction(stage)
    stage.title("Dec I 40, the regular Allied turn: combat")
    orders(stage, "p4.yaml", "4-combat.yaml", 10)
    bare(stage, ALICE, BOB, 11)
    stage.type(BOB, "report compass 10")
    stage.type(ALICE, "report compass 10 -o sidi-barrani.md")
    stage.tell("Every line of a message can be asked about: each number with its rule, each die with its opening.")
    stage.type(BOB, "explain 10:2 --game compass")


def reaction(stage: Stage) -> None:
    """R1 of the regular turn: the fighter at El Adem rises, if the disarray has left it fit (WD 28.A.3)."""
    stage.tell("Bob's bomber flies to El Adem, where Italian fighters are. Alice looks whether she is asked, and what.")
    stage.type(ALICE, "status compass")
    tried = stage.home(ALICE) / "r3.yaml"
    tried.write_text(stage.read("3-reaction.yaml"), encoding="utf-8", newline="\n")
    fit = stage.works(ALICE, "check r3.yaml --game compass")
    tried.unlink()
    if fit:
        orders(stage, "r3.yaml", "3-reaction.yaml", 9, who=ALICE)
        stage.tell("The dice of the fight hang on her message; Bob holds their key, and sees what came of it.")
    else:
        stage.tell("The fighter there is out of order since the set-up: she sends up nobody.")
        bare(stage, ALICE, BOB, 9)
    stage.type(BOB, "report compass 9")


def audit(stage: Stage) -> None:
    """Both verify; then somebody tampers."""
    stage.title("Audit: anybody can prove the whole game, offline")
    stage.type(BOB, "verify compass")
    stage.type(ALICE, "verify compass --brief")
    stage.tell("Alice edits her log: one of Bob's brigades never moved.")
    log = stage.home(ALICE) / "compass" / "log.jsonl"
    tampered = log.read_text(encoding="utf-8").replace('"in-5","in-11"', '"in-5"', 1)
    (stage.home(ALICE) / "tampered.jsonl").write_text(tampered, encoding="utf-8", newline="\n")
    stage.type(ALICE, "verify tampered.jsonl --brief", wanted=1)
    stage.tell("Or she changes one word in a file that Bob had mailed, and takes it in again.")
    mailed = next(iter(sorted(stage.home(ALICE).glob("*-0010-*.turn"))))
    changed = mailed.read_text(encoding="utf-8").replace("advance", "retreat", 1)
    (stage.home(ALICE) / "changed.turn").write_text(changed, encoding="utf-8", newline="\n")
    stage.type(ALICE, "receive compass changed.turn", wanted=1)


def vassal(stage: Stage) -> None:
    """The module, the position as a save, a battle as a log."""
    stage.title("The board, for VASSAL")
    stage.home("exported")
    stage.type(BOB, "export vmod compass -o ../exported/western-desert.vmod")
    stage.type(BOB, "export save compass -o ../exported/compass.vsav")
    stage.type(BOB, "export log compass 10 -o ../exported/sidi-barrani.vlog")
    stage.type(BOB, "status compass")


def close(stage: Stage) -> None:
    """What is left for the reader to look at."""
    stage.title("What is in the folder now")
    say(f"{stage.name}")
    say("  alice/compass, bob/compass   the two game folders; log.jsonl in each is the game, the same to the byte")
    say("  .../reports                  the story of every message, for each player")
    say("  .../outbox                   the files that were mailed")
    say("  bob/p1.yaml ... p4.yaml      the turn files as Bob wrote them; alice/r3.yaml is her answer in the air")
    say("  exported                     the VASSAL module, a save and a log")
    say("The exploitation phase of the Allies comes next; the demo ends here, the game can be played on.")
