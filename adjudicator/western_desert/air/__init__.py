"""The air war as pure rules (WD 16 to 25): what air units are, may fly, do and suffer.

Nothing here asks a player, rolls a die or emits an event.

``craft`` is what every other part speaks of: an air unit's figures, and a flight with what its mission makes of them.
"""
