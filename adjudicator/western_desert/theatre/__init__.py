"""The rules of the theatre around the desert (WD 26 to 33)."""
