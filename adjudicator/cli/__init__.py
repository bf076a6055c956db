"""The command line: one module per family of commands; arguments, printing and exit codes, nothing else."""
