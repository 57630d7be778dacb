"""Nobody sees what he may not see: two deals that differ only in hidden cards look alike, to the byte."""

from random import Random
from typing import Any

import msgspec
from msgspec import structs

from services.engine.fairness import shuffle
from tests.engine.games.subjects import Start, deals, law, moments

encode = msgspec.json.encode


@law
def test_what_is_imagined_looks_like_what_was_seen(start: Start) -> None:
    game, rng = start.game, Random(start.seed)
    for deal in deals(start):
        for viewer in start.viewers:
            seen = game.view(deal, viewer)
            imagined = game.imagine(seen, rng)
            assert game.view(imagined, viewer) == seen
            assert encode(game.view(imagined, viewer)) == encode(seen)
            assert imagined.turn == deal.turn


@law
def test_imagined_cards_are_real_cards(start: Start) -> None:
    game, rng = start.game, Random(start.seed)
    for deal in deals(start):
        for viewer in start.viewers:
            assert start.subject.lost(game.imagine(game.view(deal, viewer), rng)) == []


@law
def test_moves_and_refusals_depend_on_nothing_hidden(start: Start) -> None:
    game, rng = start.game, Random(start.seed)
    for moment in moments(start):
        imagined = game.imagine(game.view(moment.deal, moment.deal.turn), rng)
        assert encode(game.moves(imagined)) == encode(moment.moves)
        for move in start.subject.moves(moment.deal):
            assert encode(game.check(imagined, move)) == encode(game.check(moment.deal, move))


@law
def test_events_tell_no_more_than_the_views_around_them(start: Start) -> None:
    game, rng = start.game, Random(start.seed)
    for moment in moments(start):
        for viewer in start.viewers:
            imagined = game.imagine(game.view(moment.deal, viewer), rng)
            if moment.move not in game.moves(imagined):
                continue
            following, events = game.play(imagined, moment.move, shuffle)
            if _looks(game, following, viewer) == _looks(game, moment.following, viewer):
                assert encode(events) == encode(moment.events)


def _looks(game: Any, deal: Any, viewer: int | None) -> bytes:
    return encode(game.view(deal, viewer))


@law
def test_no_view_holds_the_seed_or_another_hand(start: Start) -> None:
    game = start.game
    for deal in deals(start):
        spectator = msgspec.to_builtins(game.view(deal, None))
        for viewer in range(start.seats):
            seen = msgspec.to_builtins(game.view(deal, viewer))
            differing = {field for field in seen if seen[field] != spectator[field]}
            assert differing <= {"seat", "hand", "known"}
        assert "seed" not in spectator
        assert spectator["hand"] is None


@law
def test_what_is_hidden_may_lie_anywhere(start: Start) -> None:
    spectator = start.game.view(start.deal(), None)
    one, other = (start.game.record(start.game.imagine(spectator, Random(seed))) for seed in (1, 2))
    assert one != structs.replace(other, seed=one.seed)
