"""The game folder: log, state, secrets; receiving, adjudicating, checking, signing (DESIGN, The game folder)."""
