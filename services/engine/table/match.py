"""Matches of several deals: seeds and commitments, dealers, points, end. The functions have no side effects."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct, structs

from locanda.games.base import Result
from locanda.games.game import AnyGame, Ranking
from locanda.games.points import rank_by_points
from services.engine.table import fairness

CACHED_COMMITMENTS = 4096


class MatchState(Struct, frozen=True, array_like=True):
    """A match in progress; it is over when it has a result."""

    table: str
    number: int
    root: bytes
    """The table's secret, from which the server seed of each match is derived."""
    client_seeds: tuple[str, ...] = ()
    """Client seeds by seat, fixed when the match starts."""
    deal: int = 0
    dealer: int = 0
    """The seat that deals the current deal or, before a rematch starts, its first deal."""
    points: tuple[int, ...] = ()
    previous: Ranking | None = None
    """The ranking of the last deal. In some games it affects the next deal."""
    result: Result | None = None

    @property
    def server_seed(self) -> bytes:
        """The match's server seed, 32 bytes, to which `commitment` commits."""
        return fairness.server_seed(self.root, self.number)

    @property
    def commitment(self) -> str:
        """Commitment to the server seed, published before the match starts."""
        return _commitment(self.root, self.table, self.number)

    @property
    def following(self) -> "MatchState":
        """The match after this one: the next seat deals, and the last ranking affects its first deal."""
        return MatchState(
            table=self.table,
            number=self.number + 1,
            root=self.root,
            dealer=(self.dealer + 1) % len(self.points),
            previous=self.previous,
        )

    def deal_seed(self, deal: int) -> bytes:
        """Return the seed of a deal. The seed of deal 0 determines the first dealer."""
        return fairness.deal_seed(self.server_seed, self.table, self.number, deal, self.client_seeds)


@lru_cache(CACHED_COMMITMENTS)
def _commitment(root: bytes, table: str, match: int) -> str:
    return fairness.commitment(table, match, fairness.server_seed(root, match))


def start(match: MatchState, client_seeds: Sequence[str], *, drawn: bool) -> MatchState:
    """Start a match by fixing its client seeds. If `drawn`, its first dealer is drawn."""
    seats = len(client_seeds)
    seeded = structs.replace(match, client_seeds=tuple(client_seeds), points=(0,) * seats)
    if not drawn:
        return seeded
    return structs.replace(seeded, dealer=fairness.shuffle(seeded.deal_seed(0), 0, range(seats))[0])


def deal_next(match: MatchState, game: AnyGame, options: Struct) -> tuple[MatchState, Struct]:
    """Deal the cards. The match's dealer deals first; each later deal has the next seat as dealer."""
    seats = len(match.points)
    dealer = (match.dealer + (1 if match.deal else 0)) % seats
    dealt = structs.replace(match, deal=match.deal + 1, dealer=dealer)
    seed = dealt.deal_seed(dealt.deal)
    return dealt, game.deal(options, seats, dealer, seed, fairness.shuffle, match.previous)


def settle(match: MatchState, game: AnyGame, options: Struct, deal: Result) -> MatchState:
    """Add a deal's points. If the match is over, rank the seats."""
    points = tuple(had + won for had, won in zip(match.points, deal.points, strict=True))
    settled = structs.replace(match, points=points, previous=deal.ranking)
    if not game.match_over(options, match.deal, points):
        return settled
    return structs.replace(
        settled, result=Result(rank_by_points(points, fewest_wins=game.fewest_wins), points, deal.reason, deal.teams)
    )
