"""Evenings of groups: their times, seating, summaries, and screens."""
