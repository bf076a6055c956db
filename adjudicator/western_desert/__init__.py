"""Western Desert: the rules, one module per chapter of the rulebook, on the data of ``module/western-desert``."""
