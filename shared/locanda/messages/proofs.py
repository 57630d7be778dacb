"""Messages that prove the shuffle of a deal."""

from msgspec import UNSET, Struct, UnsetType

from locanda.games.base import Count, Result, SeatNumber, Seed
from locanda.games.registry import AnyDeal
from locanda.messages.values import JsonObject, TableId


class PlayedMove(Struct, frozen=True):
    """A move of a finished deal."""

    seat: SeatNumber
    """The seat that made the move."""
    move: JsonObject
    """The move that was made."""


class Proof(Struct, frozen=True, kw_only=True):
    """A finished deal with everything that is needed to verify its shuffle."""

    table: TableId
    """Id of the table."""
    game: str
    """Name of the game."""
    rules: int
    """Version of the rules that the deal was played with."""
    match: Count
    """Number of the match, counted from 1."""
    deal: Count
    """Number of the deal in the match, counted from 1."""
    commitment: Seed
    """The commitment to the match's server seed. Compare it with the one that you saw before the match."""
    server_seed: Seed
    """The match's server seed, from which the commitment was computed."""
    client_seeds: tuple[str, ...]
    """The client seed of each seat; empty for a seat without one."""
    seed: Seed
    """The deal's seed, derived from all of the above."""
    dealing: JsonObject | UnsetType = UNSET
    """How the cards are dealt, as in the game's details; missing in servers of release 0.1.0."""
    start: AnyDeal
    """The deal before its first move: all hands, and the order of the stock."""
    moves: list[PlayedMove]
    """All moves of the deal, in order."""
    result: Result
    """The result of the deal."""
