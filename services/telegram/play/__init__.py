"""Play at the tables of any chat: cards, turns, votes, ratings and lessons. Pure."""
