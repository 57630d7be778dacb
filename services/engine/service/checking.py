"""Verdicts: whether a move, or what selected cards can mean, is legal, and if not, why."""

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


def checked(game: AnyGame, asked: CheckMove | CheckRequest, check: Callable[[Struct], Refusal | None]) -> Verdict:
    """Return the verdict on the move or the selection of a request. Raises `ValidationError` with its field."""
    if asked.move is not UNSET and asked.selection is UNSET:
        return _verdict(check(read_move(game, asked.move)))
    if asked.selection is not UNSET and asked.move is UNSET:
        return _of_selection(game, asked.selection, check)
    raise ValidationError("move", "either a move is checked, or a selection")


def _of_selection(game: AnyGame, selection: Selection, check: Callable[[Struct], Refusal | None]) -> Verdict:
    """Return the verdict on the first move that is legal; where none is, on the first that its phase does not refuse.

    The refusals of the others explain what else the selection lacks.
    """
    found = [(move, check(move)) for move in candidates(game.name, selection)]
    if not found:
        raise ImpossibleError("selection", "no move of the game takes these cards, or goes there")
    in_phase = [(move, refusal) for move, refusal in found if refusal is None or refusal.code != WRONG_PHASE.code]
    found = in_phase or found[:1]
    move, refusal = next((each for each in found if each[1] is None), found[0])
    others = [other for each, other in found if each is not move and other is not None and other != refusal]
    return replace(_verdict(refusal), meant=msgspec.to_builtins(move), others=others)


def _verdict(refusal: Refusal | None) -> Verdict:
    if refusal is None:
        return Verdict(legal=True)
    return Verdict(legal=False, code=refusal.code, facts=refusal.facts)
