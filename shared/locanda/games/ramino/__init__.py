"""Ramino with the Cuccù deck: lay runs of numerals and sets of figures, and be the first without cards."""
