"""Seasons: a group's matches of a month, a week, or until ended, with points, titles and screens."""
