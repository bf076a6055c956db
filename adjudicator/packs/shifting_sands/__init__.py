"""Compiles and checks the data of Shifting Sands: spaces and lines, counters, decks, tables, set-ups."""
