"""Cards are taken up first, then what may be done with them is chosen; the legal moves alone say what that is."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

from services.telegram import buttons
from services.telegram.screens.drawing import Piece, Selecting
from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.refusals import explained
from services.telegram.screens.scene import Scene
from services.telegram.screens.screen import Button, Rows, in_rows
from services.telegram.screens.text import plain
from shared.messages import JsonObject, Table, Verdict
from shared.translate import Words, spoken, translator
from shared.words.phrases import listed

AnySelecting: TypeAlias = Selecting[Any]

WIDTH, LABELLED = 5, 30
"""Buttons in a row of cards, and about as many letters as its labels may have in all."""


def selecting(table: Table) -> AnySelecting | None:
    """Return how cards are selected in the table's game; nothing where each is played by one tap."""
    playing = DRAWINGS[table.game].playing
    return playing if isinstance(playing, Selecting) else None


def picked(table: Table, places: Collection[int], words: Words) -> list[Piece]:
    """Return the pieces that the viewer has taken up."""
    how = selecting(table)
    if how is None or table.deal is None:
        return []
    pieces = chain.from_iterable(how.pieces(table.deal, words))
    return [piece for place, piece in enumerate(pieces) if place in places]


def questions(table: Table, places: Collection[int]) -> Sequence[JsonObject]:
    """Return what to ask the engine about the pieces that the viewer has taken up."""
    how, pieces = selecting(table), picked(table, places, translator("en"))
    return how.questions(table.deal, pieces) if how is not None and pieces else ()


def verdict(scene: Scene, words: Words) -> str:
    """Return what has been taken up, and what the engine says of it."""
    pieces = picked(scene.table, scene.picked, words)
    if not pieces:
        return ""
    chosen = words.gettext("You have picked {cards}.").format(cards=listed((piece.label for piece in pieces), words))
    return " ".join(["☝️", plain(chosen), *(plain(line) for line in _said(scene, words))])


def _said(scene: Scene, words: Words) -> list[str]:
    if scene.verdicts and all(verdict.legal for verdict in scene.verdicts):
        return [words.gettext("That will do.")]
    found = (_explained(verdict, scene.table, words) for verdict in scene.verdicts if not verdict.legal)
    return [text for text in dict.fromkeys(found) if text]


def _explained(verdict: Verdict, table: Table, words: Words) -> str:
    code, facts = verdict.code or "", verdict.facts or {}
    return explained(code, facts, table, spoken(words))


def selecting_rows(scene: Scene, how: AnySelecting, words: Words) -> Rows:
    """Return the cards as buttons, then what may be done with those that were taken up, and what needs none."""
    table = scene.table
    pieces = picked(table, scene.picked, words)
    actions = _action_keys(scene, how, pieces, words)
    return (*_card_rows(scene, how, pieces, words), *in_rows(actions, _width([key.label for key in actions])))


def _card_rows(scene: Scene, how: AnySelecting, pieces: list[Piece], words: Words) -> Iterator[tuple[Button, ...]]:
    useful = _useful(scene.table.moves, how, pieces)
    place = 0
    for row in how.pieces(scene.table.deal, words):
        keys = [_card_key(scene, place + at, piece, useful) for at, piece in enumerate(row)]
        yield from in_rows(keys, _width([piece.label for piece in row]))
        place += len(row)


def _width(labels: Sequence[str]) -> int:
    """Return how many buttons fit in a row, so that a telephone shows all that they say."""
    longest = max(map(len, labels), default=1)
    return max(1, min(WIDTH, LABELLED // longest))


def _card_key(scene: Scene, place: int, piece: Piece, useful: set[str]) -> Button:
    tap = buttons.Pick(scene.ref, scene.table.version, place, up=place not in scene.picked)
    if not tap.up:
        return Button(f"✅ {piece.label}", tap, style="success")
    return Button(piece.label, tap, style="primary" if piece.choice in useful else None)


def _useful(moves: Sequence[JsonObject], how: AnySelecting, pieces: list[Piece]) -> set[str]:
    """Return the choices with which the pieces taken up could go on towards a legal move."""
    taken = Counter(piece.choice for piece in pieces) if how.several else Counter[str]()
    useful: set[str] = set()
    for move in moves:
        wanted = Counter(how.takes(move))
        if taken <= wanted:
            useful |= (wanted - taken).keys()
    return useful


def _action_keys(scene: Scene, how: AnySelecting, pieces: list[Piece], words: Words) -> list[Button]:
    wanted = sorted(piece.choice for piece in pieces)
    found = [move for move in scene.table.moves if (takes := sorted(how.takes(move))) == wanted or not takes]
    keys = [_action_key(scene, how, move, pieces, words) for move in found]
    if len(pieces) > 1:
        keys.append(Button(words.gettext("Put back"), buttons.PutBack(scene.ref, scene.table.version)))
    return keys


def _action_key(scene: Scene, how: AnySelecting, move: JsonObject, pieces: list[Piece], words: Words) -> Button:
    code = how.code(move, pieces)
    label = how.label(DRAWINGS[scene.table.game].move(code), scene.table.deal, words)
    return Button(label, buttons.Move(scene.ref, scene.table.version, code), style="success")
