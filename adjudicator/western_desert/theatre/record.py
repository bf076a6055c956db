"""What the rules of the theatre keep of a game, part of its state (WD 28). Changed by events only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theatre:
    """``vichy`` is who controls the Vichy forces, "" while they are neutral; ``grant`` what Vichy France has granted
    the Axis, "" or ``air`` or ``full`` (WD 28.C). ``invaded`` is the game turn on which the Allied player invaded the
    Levant, ``raided`` that of his last raid, ``held`` the one since which he has controlled all of the Levant; 0 for
    never (WD 28.B, 29.B.3)."""

    vichy: str = ""
    grant: str = ""
    invaded: int = 0
    raided: int = 0
    held: int = 0
