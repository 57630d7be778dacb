"""Chooses moves for computer players of any game and level."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, assert_never

from msgspec import Struct

from locanda.explanations import BEST_ESTIMATE, BEST_IN_PLAY_OUTS, BY_FEEL, NONE_SURELY_BETTER, ONLY_MOVE, Reason
from locanda.games.base import ComputerLevel
from locanda.games.game import AnyDealState, AnyGame, Shuffle
from locanda.games.players import Analysis, AnyPlayers, AnySituation, Budget, GamePlayers, Policy, WeighedMove, race
from locanda.games.registry import has_part, part
from locanda.games.rules import GAMES

# --- default players, for a game without a package `player`: they use the game's rules and, if any, its policy

LONGEST_PLAY_OUT = 1000
"""Moves after which a play-out stops and counts as undecided."""
UNDECIDED = 0.5
FEW_PLAY_OUTS = 8
"""Play-outs for each move at the level `medium` of a game with default players; they take some milliseconds."""
MARGIN = 0.5
"""Weight of the lead in points, compared with winning: the largest bonus, for holding all points."""
SOLVED_CARDS = 8
"""The most cards in two known hands for which the rest of a deal is searched exhaustively."""


def players_for(game: AnyGame, policy: Policy | None = None) -> GamePlayers[Any, Any, Any, AnyDealState]:
    """Return players of every level for a game. Play-outs follow `policy`, or random moves without one."""

    def plainly(situation: AnySituation, _moves: Sequence[Struct], rng: Random) -> Struct:
        return choose_plainly(game, situation.view, rng)

    def play_out(deal: AnyDealState, move: Struct, chance: float) -> float:
        return _play_out(game, policy, deal, move, chance)

    def weigh(situation: AnySituation, moves: Sequence[Struct], rng: Random, budget: Budget) -> Analysis[Struct]:
        if (ending := _ending(game, situation.view, rng)) is not None:
            return _solved(game, ending, moves)

        def simulate(running: Sequence[int]) -> Iterator[float]:
            deal, chance = game.determinize(situation.view, rng), rng.random()
            return (play_out(deal, moves[index], chance) for index in running)

        return race(moves, simulate, budget)

    def by_policy(situation: AnySituation, moves: Sequence[Struct], rng: Random) -> Struct:
        if policy is None:
            return plainly(situation, moves, rng)
        move: Struct = policy(game.determinize(situation.view, rng), situation.view.turn, moves)
        return move

    return GamePlayers(
        easy=plainly,
        medium=None,
        weigh=weigh,
        sample=lambda situation, rng: game.determinize(situation.view, rng),
        plays_on=by_policy,
        explain=lambda _situation, _move, _moves, _skill: None,
        quick=("easy",),
    )


def _play_out(game: AnyGame, policy: Policy | None, deal: AnyDealState, move: Struct, chance: float) -> float:
    """Play a move, then the rest of the deal by the policy or at random. Return its value for the seat that moved.

    Use the same `chance` for two moves to compare them with the same luck.
    """
    seat, rng = deal.turn, Random(chance)  # noqa: S311  (no secret)
    after_move, _ = game.play(deal, move, shuffled(rng))
    for _ in range(LONGEST_PLAY_OUT):
        if after_move.turn is None:
            return _worth(game, after_move, seat)
        moves = game.moves(after_move)
        chosen = rng.choice(moves) if policy is None else policy(after_move, after_move.turn, moves)
        after_move, _ = game.play(after_move, chosen, shuffled(rng))
    return UNDECIDED


def _worth(game: AnyGame, over: AnyDealState, seat: int | None) -> float:
    """Return a seat's share of the win, plus a small bonus for its lead in points, which makes the search stronger."""
    result = game.score(over)
    best, points = result.ranking[0], result.points
    sign = -1 if game.fewest_wins else 1
    others = [own for number, own in enumerate(points) if number != seat]
    lead = sign * (points[seat or 0] - sum(others) / len(others)) / (sum(map(abs, points)) or 1)
    return (1 / len(best) if seat in best else 0.0) + MARGIN * lead


def _ending(game: AnyGame, view: Any, rng: Random) -> AnyDealState | None:  # noqa: ANN401  (of any game)
    """Return the deal if it is an ending of two players in which the view determines all cards; None otherwise."""
    if len(view.counts) != 2 or sum(view.counts) > SOLVED_CARDS:
        return None
    deal, other = game.determinize(view, rng), game.determinize(view, rng)
    return deal if game.to_wire(deal) == game.to_wire(other) else None


def _solved(game: AnyGame, deal: AnyDealState, moves: Sequence[Struct]) -> Analysis[Struct]:
    """Solve an ending: return the value of each move if both players know all cards and play perfectly."""
    seat, known, shuffle = deal.turn, dict[AnyDealState, float](), shuffled(Random(0))  # noqa: S311  (no secret)

    def worth(here: AnyDealState) -> float:
        if here.turn is None:
            return _worth(game, here, seat)
        if here not in known:
            values = [worth(game.play(here, move, shuffle)[0]) for move in game.moves(here)]
            known[here] = max(values) if here.turn == seat else min(values)
        return known[here]

    values = {move: worth(game.play(deal, move, shuffle)[0]) for move in moves}
    best = max(values, key=values.__getitem__)
    weighed = [WeighedMove(move, value, 1, values[best] - value) for move, value in values.items()]
    return Analysis(best, tuple(sorted(weighed, key=lambda move: -move.value)), 1)


def shuffled(rng: Random) -> Shuffle:
    """Return a `Shuffle` that uses this random generator and ignores the seed and the index."""

    def shuffle(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:  # noqa: ARG001
        return rng.sample(cards, len(cards))

    return shuffle


def choose_plainly(game: AnyGame, view: Struct, rng: Random) -> Struct:
    """Return a random one of the legal moves with the highest `eagerness`; hidden cards are drawn at random."""
    moves: list[Struct] = game.moves(game.determinize(view, rng))
    most = max(map(game.eagerness, moves))
    return rng.choice([move for move in moves if game.eagerness(move) == most])


# --- the computer players of each game


def _players(name: str) -> AnyPlayers:
    if not has_part(name, "player"):
        policy: Policy | None = part(name, "policy").policy if has_part(name, "policy") else None
        return players_for(GAMES[name], policy)
    heuristic = part(name, "player.heuristic")
    search = part(name, "player.search")
    return GamePlayers(
        easy=heuristic.easy,
        medium=heuristic.medium,
        weigh=search.weigh,
        plays_on=getattr(heuristic, "plays_on", heuristic.medium),
        standing=getattr(search, "standing", None),
        sample=part(name, "player.sampling").sample,
        explain=heuristic.explain,
        quick=getattr(heuristic, "QUICK", ()),
    )


PLAYERS: dict[str, AnyPlayers] = {name: _players(name) for name in GAMES}


# --- choices


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen move and the reason for it, and the analysis if a search chose it."""

    move: Any
    reason: Reason
    analysis: Analysis[Any] | None = None

    @property
    def simulations(self) -> int:
        """Number of play-outs; 0 without a search."""
        return self.analysis.simulations if self.analysis else 0


def legal_moves(game: AnyGame, situation: AnySituation) -> list[Any]:
    """Return the legal moves of the view's seat. Hidden cards do not affect them."""
    return game.moves(game.determinize(situation.view, Random(0)))  # noqa: S311  (no secret)


def choose(game: AnyGame, situation: AnySituation, level: ComputerLevel, rng: Random, budget: Budget) -> Choice:
    """Choose a move for a player of this level. The seat must be on turn; only `hard` uses the budget."""
    moves = legal_moves(game, situation)
    if len(moves) == 1:
        return Choice(moves[0], ONLY_MOVE.because())
    players, analysis = PLAYERS[game.name], None
    match level:
        case "easy":
            move = players.easy(situation, moves, rng)
        case "medium" if players.medium is not None:
            move = players.medium(situation, moves, rng)
        case "medium" | "hard":
            limit = budget if level == "hard" else Budget(iterations=FEW_PLAY_OUTS)
            limit.begin()
            analysis = players.weigh(situation, moves, rng, limit)
            move = analysis.best
        case _:
            assert_never(level)
    reason = players.explain(situation, move, moves, "beginner" if level == "easy" else "expert")
    return Choice(move, reason or _that_it_was_chosen(level, analysis), analysis)


def choose_quickly(game: AnyGame, situation: AnySituation, level: ComputerLevel, rng: Random) -> Choice:
    """Choose a move within a millisecond: with this level if it is quick, otherwise with the best quick level."""
    quick = PLAYERS[game.name].quick
    if not quick:
        return Choice(choose_plainly(game, situation.view, rng), BY_FEEL.because())
    return choose(game, situation, level if level in quick else quick[-1], rng, Budget(iterations=0))


def _that_it_was_chosen(level: ComputerLevel, analysis: Analysis[Any] | None) -> Reason:
    if level == "easy":
        return BY_FEEL.because()
    if analysis is None or not analysis.simulations:
        return BEST_ESTIMATE.because()
    return (BEST_IN_PLAY_OUTS if analysis.is_proved else NONE_SURELY_BETTER).because()
