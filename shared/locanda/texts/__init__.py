"""Translated texts that all clients share. A game's own texts are in its module `texts`."""
