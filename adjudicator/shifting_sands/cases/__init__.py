"""Runner of the conformance cases of Shifting Sands. Builds positions and plays them by the game's own rules."""
