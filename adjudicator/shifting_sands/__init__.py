"""Shifting Sands: the rules, by chapter of the rulebook, on the data of ``module/shifting-sands``."""
