"""Writes the golden play-throughs anew: `python -m tests.conformance`."""

from tests.conformance import store

store()
