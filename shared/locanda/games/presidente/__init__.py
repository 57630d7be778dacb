"""Presidente: get rid of your cards by beating combinations with higher ones; four of a kind invert the order."""
