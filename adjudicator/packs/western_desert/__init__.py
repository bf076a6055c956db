"""Compiles and checks the data of Western Desert: hexes and lines, units, charts, scenarios."""
