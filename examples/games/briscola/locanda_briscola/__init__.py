"""Briscola, a game of tricks with the Italian pack, for Locanda."""

INTERFACE = 1
"""The version of Locanda's interface for games that this package is written for."""
