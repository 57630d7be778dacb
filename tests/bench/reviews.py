"""Check the mistakes that reviews list: `python -m tests.bench.reviews [GAMES [PLAYER=medium [DEALS=20 [SEATS=2]]]]`.

A player plays deals against `medium`, its moves are reviewed as in an engine, and the cost of each listed mistake is
measured again: other hidden deals are drawn, and `medium` plays them to the end with some random moves. A mistake is
confirmed if the better move is worth more by at least two standard errors, refuted if it is not worth more, and
otherwise undecided.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from locanda.games import choosing, pricing
from locanda.games.base import Result
from locanda.games.diavoletto.player.judgement import EXPERIENCE
from locanda.games.game import AnyGame
from locanda.games.players import AnySituation, Budget
from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from services.engine.service.advice import FEWEST, MOST, WORST
from services.engine.settings import EngineSettings
from services.engine.table.fairness import shuffle
from tests.bench.arena import Turn, agent, worth
from tests.bench.diavoletto_position import Position
from tests.bench.diavoletto_weights import play_out

PAIRS = 400
"""Pairs of play-outs that measure a mistake again."""
STRAYS = 0.05
"""The probability of a random move. In Presidente for two all cards are known, so without random moves all deals would
be the same.
"""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A listed mistake: its cost according to the review, and the cost measured again, with the standard error."""

    cost: float
    again: float
    error: float


@dataclass(slots=True)
class Reviewed:
    """Mistakes listed by reviews of some deals."""

    deals: int
    moves: int
    mistakes: list[Mistake]

    def __str__(self) -> str:
        listed = len(self.mistakes)
        confirmed = sum(mistake.again > 2 * mistake.error for mistake in self.mistakes)
        refuted = sum(mistake.again <= 0 for mistake in self.mistakes)
        cost = sum(mistake.cost for mistake in self.mistakes) / max(1, listed)
        again = sum(mistake.again for mistake in self.mistakes) / max(1, listed)
        return (
            f"{self.deals} deals, {self.moves} moves with a choice: {listed} listed, {confirmed} confirmed, "
            f"{refuted} refuted; mean cost {cost:.3f}, priced again {again:.3f}"
        )


def reviewed(game: AnyGame, player: str, deals: int, seats: int, base: int = 9_000_000) -> Reviewed:
    """Review deals of a player against `medium`, and measure the listed mistakes again."""
    review = Reviewed(deals, 0, [])
    for seed in range(base, base + deals):
        decisions = list(_decisions(game, player, seed, seats))
        review.moves += len(decisions)
        listed = []
        for at, (situation, played) in enumerate(decisions):
            compared = pricing.compare(game, situation, played, Random(f"{seed} {at}"), _budget(len(decisions)))
            if compared.cost:
                listed.append((compared, situation, played))
        listed.sort(key=lambda pair: -pair[0].cost)
        for compared, situation, played in listed[:WORST]:
            again, error = _priced(game, situation, compared.best, played, Random(f"{seed} again"))
            review.mistakes.append(Mistake(compared.cost, again, error))
            print(f"  {compared.cost:.3f} → {again:+.3f} ± {2 * error:.3f}  {played} / {compared.best}", flush=True)
    return review


def _budget(decisions: int) -> Budget:
    """Return the budget for each move when a deal is reviewed."""
    return Budget(iterations=max(FEWEST, min(MOST, EngineSettings().engine_review_iterations // max(1, decisions))))


def check_praise(game: AnyGame, deals: int, seats: int) -> bool:
    """Print how many deals of `chance` and of `hard` are praised.

    Return whether at most 1 in 100 of those of `chance` are.
    """
    chance, hard = (_praised(game, player, deals, seats) for player in ("chance", "hard:40ms"))
    print(f"{game.name}: of chance {sum(chance)} of {len(chance)} deals praised, of hard {sum(hard)} of {len(hard)}")
    return sum(chance) <= max(1, deals / 100)


def _praised(game: AnyGame, player: str, deals: int, seats: int, base: int = 9_500_000) -> list[bool]:
    """Let a player play deals against `medium`.

    For each deal with enough choices, return whether its review praises it.
    """
    played = [(seed, list(_decisions(game, player, seed, seats))) for seed in range(base, base + deals)]
    return [_is_praised(game, seed, made) for seed, made in played if len(made) >= pricing.LEAST_CHOICES]


def _is_praised(game: AnyGame, seed: int, decisions: list[tuple[AnySituation, Any]]) -> bool:
    """Return whether a review praises a deal. The check ends once too many moves differ from those of `hard`."""
    choices = len(decisions)
    chances, same = list[float](), choices
    for at, (situation, played) in enumerate(decisions):
        _, analysis, chance = pricing.preferred(game, situation, Random(f"{seed} {at}"), _budget(choices))
        chances.append(chance)
        same -= not analysis.is_equal(played)
        if same < pricing.WELL_PLAYED * choices:
            return False
    return pricing.well_played(chances, same) and not any(
        pricing.compare(game, situation, played, Random(f"{seed} {at}"), _budget(choices)).cost
        for at, (situation, played) in enumerate(decisions)
    )


def _decisions(game: AnyGame, player: str, seed: int, seats: int) -> Iterator[tuple[AnySituation, Any]]:
    """Play a deal. Yield each choice of the player, with the knowledge on which it was made."""
    own = seed % seats
    agents = [agent(player if seat == own else "medium") for seat in range(seats)]
    deal = game.deal(game.options(), seats, seed % seats, Random(seed).randbytes(32), shuffle, None)
    turn, rng = Turn(game, deal, ()), Random(seed)
    while (seat := turn.deal.turn) is not None:
        move = agents[seat](turn, rng)
        if seat == own and len(game.moves(turn.deal)) > 1:
            yield turn.situation, move
        turn = turn.after(move)


def _priced(game: AnyGame, situation: AnySituation, best: Any, played: Any, rng: Random) -> tuple[float, float]:
    """Return the mean of the paired differences in the win share of two moves, and its standard error."""
    sample = choosing.PLAYERS[game.name].sample

    def differences() -> Iterator[float]:
        while True:
            turn, chance = Turn(game, sample(situation, rng), situation.history or ()), rng.random()
            one, other = (_won(turn, move, situation.view.seat, Random(chance)) for move in (best, played))
            yield one - other

    return pricing.price(differences(), PAIRS)


def _won(turn: Turn, move: Any, seat: int, rng: Random) -> float:
    """Play a move, and continue the deal to its end. Return a seat's share of the win."""
    if turn.game.name != "diavoletto":
        return worth(_ended(turn.after(move), rng), seat)[0]
    position = Position(turn.after(move).deal)
    play_out(position, (EXPERIENCE, EXPERIENCE), rng)
    return position.win(seat)


def _ended(turn: Turn, rng: Random) -> Result:
    medium = agent("medium")
    while turn.deal.turn is not None:
        strays = rng.random() < STRAYS
        turn = turn.after(rng.choice(turn.game.moves(turn.deal)) if strays else medium(turn, rng))
    return turn.game.score(turn.deal)


if __name__ == "__main__":
    NAMED, *REST = sys.argv[1:] or (",".join(GAME_NAMES),)
    PLAYER, DEALS, SEATS = (*REST, *("medium", "20", "2")[len(REST) :])
    for NAME in NAMED.split(","):
        print(f"{NAME}, {PLAYER}: {reviewed(GAMES[NAME], PLAYER, int(DEALS), int(SEATS))}", flush=True)
