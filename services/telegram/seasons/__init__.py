"""Seasons of groups: what they come to, and their screens, commands and records."""
