"""Highest Card, a game made up for the tests: two players play a card each, and the higher card takes both."""
