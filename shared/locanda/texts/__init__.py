"""Translated texts that all clients share: cards, options, events, refusals.

A game's own texts are in its module `texts`.
"""
