"""Golden play-throughs and refused moves, made by the rules of today.

A changed line means that the same moves now lead elsewhere, or that the wire has changed: then, and only then,
`python -m tests.conformance` writes the file anew.
"""

import gzip
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

import msgspec

from locanda.conformance.playthroughs import FILE, Golden, GoldenStep, PlayThrough, RefusedMove
from locanda.explanations import refusals_of
from locanda.games.game import AnyGame
from locanda.games.registry import WIRE_TYPES, is_installed
from locanda.games.shuffling import shuffle
from locanda.messages import JsonObject
from tests.games.positions import Position, positions
from tests.games.subject import Subject
from tests.games.subjects import SUBJECTS

EACH = 3
"""Of each code of a refusal, so many moves."""


def made() -> Iterator[Golden]:
    """Yield play-throughs of the main variants of each game, and moves for each code of its refusals."""
    for name, subject in SUBJECTS.items():
        if not is_installed(name):
            for number, (options, seats) in enumerate(subject.variants):
                yield _played(subject.game, options, seats, number)
            yield from _refused(subject)


def _played(game: AnyGame, options: JsonObject, seats: int, number: int) -> PlayThrough:
    """Play a deal with random moves. `Random.random` draws the same numbers in every version of Python."""
    seed, dealer, rng = number.to_bytes(32), number % seats, Random(number)
    deal = start = game.deal(msgspec.convert(options, game.options), seats, dealer, seed, shuffle, None)
    viewers, steps = [None, *range(seats)], list[GoldenStep]()
    while moves := game.moves(deal):
        move = moves[int(rng.random() * len(moves))]
        following, events = game.play(deal, move, shuffle)
        viewer = viewers[len(steps) % len(viewers)]
        seen = _json(game.view(deal, viewer))
        steps.append(GoldenStep(deal.turn, _json(moves), viewer, seen, _json(move), _json(events)))
        deal = following
    return PlayThrough(
        game=game.name,
        rules=game.rules,
        options=options,
        seats=seats,
        dealer=dealer,
        seed=seed.hex(),
        start=_json(game.to_wire(start)),
        steps=steps,
        end=_json(game.to_wire(deal)),
        result=_json(game.result(deal)),
    )


def _refused(subject: Subject) -> Iterator[RefusedMove]:
    """Yield the first moves that are refused with each code: of worked positions, or of random deals."""
    game, found = subject.game, Counter[str]()
    for deal, move in chain(_refused_in_positions(game), _conceivable(subject)):
        refusal = game.check(deal, move)
        if refusal is not None and found[refusal.code] < EACH:
            found[refusal.code] += 1
            yield RefusedMove(
                game=game.name,
                rules=game.rules,
                deal=_json(game.to_wire(deal)),
                move=_json(move),
                code=refusal.code,
                facts=_json(refusal.facts),
            )
        if all(found[code] for code in refusals_of(WIRE_TYPES[game.name])):
            return


def _refused_in_positions(game: AnyGame) -> Iterator[tuple[Any, Any]]:
    for position in positions(game.name):
        for move, _code in position.expect.refused:
            yield _deal(game, position), msgspec.convert(move, game.move_type)


def _conceivable(subject: Subject) -> Iterator[tuple[Any, Any]]:
    """Yield conceivable moves at each moment of a deal of each variant, after another that ended in order of seats."""
    game = subject.game
    for number, (options, seats) in enumerate(subject.variants):
        previous, rng = tuple((seat,) for seat in range(seats)), Random(number)
        deal = game.deal(msgspec.convert(options, game.options), seats, 0, number.to_bytes(32), shuffle, previous)
        while moves := game.moves(deal):
            yield from ((deal, move) for move in subject.moves(deal))
            deal, _ = game.play(deal, moves[int(rng.random() * len(moves))], shuffle)


def _deal(game: AnyGame, position: Position) -> Any:
    """Return the deal of a position, after its moves."""
    if position.fresh is None:
        deal = game.from_wire(msgspec.convert(position.deal, game.wire_type))
    else:
        fresh = position.fresh
        options = msgspec.convert(fresh["options"], game.options)
        deal = game.deal(options, fresh["seats"], fresh["dealer"], bytes.fromhex(fresh["seed"]), shuffle, None)
    for move in position.moves:
        deal, _ = game.play(deal, msgspec.convert(move, game.move_type), shuffle)
    return deal


def _json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def store() -> None:
    """Write the file."""
    text = b"".join(msgspec.json.encode(each) + b"\n" for each in made())
    FILE.write_bytes(gzip.compress(text, mtime=0))
