"""Evenings of groups: when they are, who sits with whom, and what is said at their end. Pure."""
