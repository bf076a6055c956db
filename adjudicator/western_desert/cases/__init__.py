"""Conformance cases of Western Desert: positions built from ``given``, played through the game's own rules."""
