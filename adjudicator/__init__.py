"""Checks, rolls, adjudicates and reports signed turns of two desert wargames played by e-mail."""

__version__ = "0.1.0"
