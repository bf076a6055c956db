"""Games played by programs: whole games over the real protocol in memory, watched by a referee at every message.

``play_games`` plays and counts; every failure can be saved as a game folder that `verify` opens.
"""

from adjudicator.match.play.loop import Played, Playing, Settings, pairings, play_game
from adjudicator.match.play.players import PLAYERS, Player, UnknownPlayer, player
from adjudicator.match.play.referee import Scene
from adjudicator.match.play.save import save_failure
from adjudicator.match.play.seats import Pairing
from adjudicator.match.play.tally import Tally, unseen

__all__ = [
    "PLAYERS",
    "Pairing",
    "Played",
    "Player",
    "Playing",
    "Scene",
    "Settings",
    "Tally",
    "UnknownPlayer",
    "pairings",
    "play_game",
    "player",
    "save_failure",
    "unseen",
]
