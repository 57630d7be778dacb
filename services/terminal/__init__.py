"""The terminal client: play, watch and verify from a command line, using only the public API."""
