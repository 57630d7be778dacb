"""Texts that all clients share, translated: cards, options, events, refusals; each game's own are in `texts.<game>`."""
