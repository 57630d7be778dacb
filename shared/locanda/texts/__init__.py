"""Texts that all clients share, translated: cards, options, events, refusals, and each game's own in `texts.<game>`."""
