"""Every kind of problem that the API answers with, in one registry."""

from services.engine.http.kinds import callers, house, refusals, requests, tables
from services.engine.http.kinds.kind import Kind

REFUSALS: dict[str, Kind] = refusals.KINDS
"""The refusals of all games: why the rules forbid a move."""

KINDS: dict[str, Kind] = requests.KINDS | callers.KINDS | tables.KINDS | REFUSALS | house.KINDS
"""All of them by their codes, in the order in which the docs tell them."""
