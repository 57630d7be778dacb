"""What each game says on the wire: its options, moves, deal, view and events, one module a game."""
