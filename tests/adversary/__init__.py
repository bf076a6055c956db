"""A cheating opponent, a careless player, a broken machine: none of them may halt, fool or harm the other side."""
