"""The same bytes everywhere: other Pythons, other hash seeds, other orders of mappings, a system without POSIX."""
