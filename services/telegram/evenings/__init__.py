"""Evenings: a group's matches on a fixed day, with times, seating, summaries and screens."""
