"""The proof of a deal."""

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
    """A finished deal with everything that proves its shuffle: the input of the verifier."""

    table: TableId
    """The id of the table where the deal was played."""
    game: str
    """The game's name."""
    rules: int
    """The version of the rules that it was played by."""
    match: Count
    """The match's number, counted from 1."""
    deal: Count
    """The deal's number in the match, counted from 1."""
    commitment: Seed
    """The match's commitment: compare it with the one that you saw before the match."""
    server_seed: Seed
    """The match's server seed, which the commitment was made of."""
    client_seeds: tuple[str, ...]
    """The client seed of each seat; empty if none was given."""
    seed: Seed
    """The deal's seed, derived from all of the above."""
    dealing: JsonObject | UnsetType = UNSET
    """How the cards are dealt, as in the game's details; servers of release 0.1.0 do not say."""
    start: AnyDeal
    """The deal before its first move: every hand and the order of the stock."""
    moves: list[PlayedMove]
    """All moves of the deal, in order."""
    result: Result
    """How the deal ended."""
