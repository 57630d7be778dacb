"""Several deals make a match: the dealer's turn, the points, the end. Pure."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct, structs

from services.engine import fairness
from services.engine.games.game import AnyGame, Ranking
from shared.games.base import Result

RECENT = 4096
"""Matches whose commitment need not be worked out again for every view."""


class Match(Struct, frozen=True, array_like=True):
    """A match under way, or over when it has a result."""

    table: str
    number: int
    root: bytes
    """The table's secret, from which the server seed of each match comes."""
    client_seeds: tuple[str, ...] = ()
    """By seat; fixed when the match starts."""
    deal: int = 0
    dealer: int = 0
    """Of the deal under way; in a rematch that has not started, of its first deal."""
    points: tuple[int, ...] = ()
    previous: Ranking | None = None
    """The ranking of the last deal, for the games in which it matters to the next."""
    result: Result | None = None

    @property
    def server_seed(self) -> bytes:
        """The seed that its commitment fixes."""
        return fairness.server_seed(self.root, self.number)

    @property
    def commitment(self) -> str:
        """What is published before the match starts."""
        return _commitment(self.root, self.table, self.number)

    @property
    def following(self) -> "Match":
        """The match that follows: the deal passes on, and the last ranking counts where a tax is due."""
        return Match(
            table=self.table,
            number=self.number + 1,
            root=self.root,
            dealer=(self.dealer + 1) % len(self.points),
            previous=self.previous,
        )

    def deal_seed(self, deal: int) -> bytes:
        """Return the seed of a deal; deal 0 draws the first dealer."""
        return fairness.deal_seed(self.server_seed, self.table, self.number, deal, self.client_seeds)


@lru_cache(RECENT)
def _commitment(root: bytes, table: str, match: int) -> str:
    return fairness.commitment(table, match, fairness.server_seed(root, match))


def start(match: Match, client_seeds: Sequence[str]) -> Match:
    """Start a match by fixing its client seeds. The first dealer is drawn; a rematch has its own."""
    seats = len(client_seeds)
    seeded = structs.replace(match, client_seeds=tuple(client_seeds), points=(0,) * seats)
    if match.number > 1:
        return seeded
    return structs.replace(seeded, dealer=fairness.shuffle(seeded.deal_seed(0), 0, range(seats))[0])


def deal_next(match: Match, game: AnyGame, options: Struct) -> tuple[Match, Struct]:
    """Deal the next hand, by the next dealer but for the first."""
    seats = len(match.points)
    dealer = (match.dealer + (1 if match.deal else 0)) % seats
    dealt = structs.replace(match, deal=match.deal + 1, dealer=dealer)
    seed = dealt.deal_seed(dealt.deal)
    return dealt, game.deal(options, seats, dealer, seed, fairness.shuffle, match.previous)


def settle(match: Match, game: AnyGame, options: Struct, deal: Result) -> Match:
    """Add a deal's points, and rank the seats once the match is over."""
    points = tuple(had + won for had, won in zip(match.points, deal.points, strict=True))
    settled = structs.replace(match, points=points, previous=deal.ranking)
    if not game.match_over(options, match.deal, points):
        return settled
    return structs.replace(settled, result=Result(_ranked(points, fewest_wins=game.fewest_wins), points, deal.reason))


def _ranked(points: tuple[int, ...], *, fewest_wins: bool) -> Ranking:
    tallies = sorted(set(points), reverse=not fewest_wins)
    return tuple(tuple(seat for seat, tally in enumerate(points) if tally == each) for each in tallies)
