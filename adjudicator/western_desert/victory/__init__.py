"""Victory (WD 31): territory, captures, the final count, levels of victory, and the end of the game."""

from __future__ import annotations
