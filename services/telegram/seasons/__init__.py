"""Seasons of groups: their tables, screens, commands and records."""
