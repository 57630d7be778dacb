"""Tressette for two or three, or for four in two pairs, with the Italian pack, for Locanda."""

INTERFACE = 1
"""The version of Locanda's interface for games that this package is written for."""
