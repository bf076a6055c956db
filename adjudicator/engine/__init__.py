"""What the games share: procedures, asks, rolls, events, problems, the driver. Knows no game, message or file."""
