"""Laws of views: deals that differ only in cards hidden from a viewer have byte-identical views."""

from itertools import islice
from random import Random
from typing import Any

import msgspec
from msgspec import structs

from locanda.games.shuffling import shuffle
from locanda.testing.starts import AnyStart, deals, law, played_moves

encode = msgspec.json.encode


@law
def test_what_is_determinized_looks_like_what_was_seen_and_is_of_real_cards(start: AnyStart) -> None:
    game, rng = start.game, Random(start.seed)
    for deal in deals(start):
        for viewer in start.viewers:
            seen = game.view(deal, viewer)
            determinized = game.determinize(seen, rng)
            again = game.view(determinized, viewer)
            assert again == seen
            assert encode(again) == encode(seen)
            assert determinized.turn == deal.turn
            assert start.subject.lost(determinized) == []


@law
def test_no_declared_field_shows_more_than_the_view_names(start: AnyStart) -> None:
    game, rng = start.game, Random(start.seed)
    for deal in islice(deals(start), 0, None, 4):
        for viewer in start.viewers:
            seen = game.view(deal, viewer)
            determinized = game.determinize(seen, rng)
            for field in game.deal_type.__struct_fields__:
                changed = structs.replace(deal, **{field: getattr(determinized, field)})
                assert encode(game.view(changed, viewer)) == encode(seen), field


@law
def test_moves_and_refusals_depend_on_nothing_hidden(start: AnyStart) -> None:
    game, rng = start.game, Random(start.seed)
    for played in played_moves(start):
        determinized = game.determinize(game.view(played.deal, played.deal.turn), rng)
        assert encode(game.moves(determinized)) == encode(played.moves)
        refused, as_before = (
            [game.check(deal, move) for move in start.subject.moves(played.deal)]
            for deal in (determinized, played.deal)
        )
        assert encode(refused) == encode(as_before)


@law
def test_events_reveal_no_more_than_the_views_before_and_after(start: AnyStart) -> None:
    game, rng = start.game, Random(start.seed)
    for played in played_moves(start):
        for viewer in start.viewers:
            determinized = game.determinize(game.view(played.deal, viewer), rng)
            if played.move not in game.moves(determinized):
                continue
            following, events = game.play(determinized, played.move, shuffle)
            if _looks(game, following, viewer) == _looks(game, played.following, viewer):
                assert encode(events) == encode(played.events), "an event reveals what no view shows"


def _looks(game: Any, deal: Any, viewer: int | None) -> bytes:
    return encode(game.view(deal, viewer))


@law
def test_no_view_holds_the_seed_or_another_hand(start: AnyStart) -> None:
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
def test_hidden_cards_may_be_in_any_hidden_place(start: AnyStart) -> None:
    spectator = start.game.view(start.deal(), None)
    one, other = (start.game.to_wire(start.game.determinize(spectator, Random(seed))) for seed in (1, 2))
    assert one != structs.replace(other, seed=one.seed)
