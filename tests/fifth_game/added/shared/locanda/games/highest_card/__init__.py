"""Highest Card, a game made up for the tests: two players play a card each, the higher one takes both."""
