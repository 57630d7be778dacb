"""Evenings of groups: when they are, who sits with whom, what is said at their end, and what chats show."""
