"""Translated texts that all clients share: cards, options, events, refusals.

A game has its own in its module `texts`.
"""
