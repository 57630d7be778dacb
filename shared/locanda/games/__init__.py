"""The wire types of each game, one module a game; `base` has what they share, `registry` lists them."""
