"""Every attack of PROTOCOL 15 that can be put into a file: log, forged files, expected verdicts."""
