"""Verdicts: whether a move, or a selection of cards, is legal, and why not."""

from collections.abc import Callable

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from locanda.explanations import WRONG_PHASE
from locanda.games.base import Refusal
from locanda.games.game import AnyGame
from locanda.messages import CheckMove, CheckRequest, Selection, Verdict
from locanda.texts.selection import candidates
from services.engine.service.validation import ImpossibleError, ValidationError, read_move


def checked(game: AnyGame, body: CheckMove | CheckRequest, check: Callable[[Struct], Refusal | None]) -> Verdict:
    """Return the verdict on a request's move or selection. Raises `ValidationError`, which names the field."""
    if body.move is not UNSET and body.selection is UNSET:
        return _verdict(check(read_move(game, body.move)))
    if body.selection is not UNSET and body.move is UNSET:
        return _of_selection(game, body.selection, check)
    raise ValidationError("move", "exactly one of `move` and `selection` is required")


def _of_selection(game: AnyGame, selection: Selection, check: Callable[[Struct], Refusal | None]) -> Verdict:
    """Return the verdict on a selection: on the first legal move that the selection can mean.

    If no such move is legal, the verdict is on the first move that belongs to the current phase; the refusals of the
    other moves are added.
    """
    verdicts = [(move, check(move)) for move in candidates(game.name, selection)]
    if not verdicts:
        raise ImpossibleError("selection", "no move of the game uses these cards and places")
    in_phase = [(move, refusal) for move, refusal in verdicts if refusal is None or refusal.code != WRONG_PHASE.code]
    verdicts = in_phase or verdicts[:1]
    move, refusal = next((verdict for verdict in verdicts if verdict[1] is None), verdicts[0])
    others = [other for made, other in verdicts if made is not move and other is not None and other != refusal]
    return replace(_verdict(refusal), meant=msgspec.to_builtins(move), others=others)


def _verdict(refusal: Refusal | None) -> Verdict:
    if refusal is None:
        return Verdict(legal=True)
    return Verdict(legal=False, code=refusal.code, facts=refusal.facts)
