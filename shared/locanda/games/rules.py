"""Builds the `Game` object of each game from its rule modules and its declared types."""

from collections.abc import Callable
from typing import Any

import msgspec

from locanda.games.base import DealOver, Refusal
from locanda.games.conversions import determinizer, own_hand, viewer, writer
from locanda.games.game import AnyGame, Game, Shuffle
from locanda.games.installed import TEXTS, UnfitGameError
from locanda.games.lessons import YOU, script_of
from locanda.games.points import target_reached
from locanda.games.posted import reader
from locanda.games.registry import WIRE_TYPES, fewest_wins, has_part, is_installed, of_each_game, part
from locanda.games.shuffling import shuffle

FILES = ("rules", "deal", "moves", "play")
"""Modules of a game's rules. A short game has only `rules`; other games have the other three."""
FUNCTIONS = ("cards_in_play", "deal", "moves", "check", "play", "score")
"""Functions that every game must define. `moves`, `check` and `play` get the seat on turn, and are not called once the
deal is over."""
OPTIONAL = ("eagerness", "match_over")
"""Functions that a game may define. Without `match_over`, a match ends at the option `target` or after its deals."""


def _examined(name: str) -> AnyGame:
    """Return a game. If another package provides it, first play its lesson; tests play the lessons of our own games."""
    game = _gathered(name)
    if is_installed(name):
        _examine_lesson(game)
    return game


def _gathered(name: str) -> AnyGame:
    types, parts = WIRE_TYPES[name], _rules_of(name)
    state, view, wire = types.DealState, types.View, types.Deal
    players, shown = parts["PLAYERS"], parts.get("SHOWN", {})
    seats = parts.get("seats", lambda _options: players)
    pack = parts["cards_in_play"]
    if hasattr(types.Options(), "target"):
        parts.setdefault("match_over", target_reached)
    texts = part(name, "texts")
    if missing := [label for label in TEXTS if not hasattr(texts, label)]:  # checked before anybody can choose the game
        raise UnfitGameError(f"its texts have no {', '.join(missing)}")
    return Game(
        name=types.NAME,
        rules=types.RULES,
        options=types.Options,
        deal_type=state,
        move_type=types.Move,
        wire_type=wire,
        view_type=view,
        event_type=types.Event,
        deck=types.DECK,
        players=players,
        suggested=parts.get("SUGGESTED", players),
        fewest_wins=fewest_wins(name),
        seats=seats,
        view=viewer(state, view, shown),
        determinize=parts.get("determinize") or determinizer(state, view, pack, parts.get("known_cards", own_hand)),
        to_wire=writer(state, wire, shown),
        from_wire=reader(state, wire, seats, pack, parts.get("checked", _unchecked)),
        deal=parts["deal"],
        moves=_moves(parts["moves"]),
        check=_check(parts["check"]),
        play=_play(parts["play"], parts.get("deal_over", lambda deal: DealOver(parts["score"](deal)))),
        score=parts["score"],
        **{optional: parts[optional] for optional in OPTIONAL if optional in parts},
    )


def _moves(of_seat: Callable[[Any, int], list[Any]]) -> Callable[[Any], list[Any]]:
    def moves(deal: Any) -> list[Any]:  # noqa: ANN401  (of any game)
        seat = deal.turn
        return [] if seat is None else of_seat(deal, seat)

    return moves


def _check(of_seat: Callable[[Any, int, Any], Refusal | None]) -> Callable[[Any, Any], Refusal | None]:
    def check(deal: Any, move: Any) -> Refusal | None:  # noqa: ANN401
        return Refusal("deal_over") if deal.turn is None else of_seat(deal, deal.turn, move)

    return check


def _play(
    of_seat: Callable[[Any, int, Any, Shuffle], tuple[Any, list[Any]]], over: Callable[[Any], Any]
) -> Callable[[Any, Any, Shuffle], tuple[Any, list[Any]]]:
    def play(deal: Any, move: Any, shuffle: Shuffle) -> tuple[Any, list[Any]]:  # noqa: ANN401
        seat = deal.turn
        if seat is None:
            raise ValueError("the deal is over")
        played = next_deal, events = of_seat(deal, seat, move, shuffle)
        if next_deal.turn is None:
            events.append(over(next_deal))
        return played

    return play


def _rules_of(name: str) -> dict[str, Any]:
    """Return the definitions in a game's rule modules. Raises `UnfitGameError` if a required function is missing."""
    parts: dict[str, Any] = {}
    for file in FILES:
        if has_part(name, file):
            parts |= vars(part(name, file))
    if missing := [required for required in (*FUNCTIONS, "PLAYERS") if required not in parts]:
        raise UnfitGameError(f"its rules have no {', '.join(missing)}")
    return parts


def _examine_lesson(game: AnyGame) -> None:
    """Play the game's lesson, if it has one. Raises `UnfitGameError`, or any error of a broken script."""
    script = script_of(game.name)
    if script is None:
        return
    deal = game.from_wire(msgspec.convert(script.deal, game.wire_type))
    for number, step in enumerate(script.steps, 1):
        step.text.format(name="")
        if deal.turn != YOU:
            raise UnfitGameError(f"at step {number} of its lesson it is not the learner's turn")
        for move in (step.move, *step.others):
            made = msgspec.convert(move, game.move_type)
            if refusal := game.check(deal, made):
                raise UnfitGameError(f"at step {number} of its lesson a move is refused: {refusal.code}")
            deal, _ = game.play(deal, made, shuffle)
    script.end.format(name="")
    if deal.turn is not None:
        raise UnfitGameError("its lesson ends before its deal")


def _unchecked(deal: Any, _posted: Any) -> Any:  # noqa: ANN401  (of any game)
    """Return a submitted deal unchanged, for games without their own `checked`."""
    return deal


GAMES: dict[str, AnyGame] = of_each_game(_examined)
"""All playable games by name, in the order of the catalogue."""
