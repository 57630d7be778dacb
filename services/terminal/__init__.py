"""The command line: play, watch and verify in a terminal, over the public API."""
