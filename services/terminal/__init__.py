"""The terminal client: play, watch and verify from a command line, through the public API alone."""
