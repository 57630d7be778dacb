"""The computer players of Gatto Rosso Gatto Grigio."""

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from locanda.cards import CARDS, members
from locanda.games.base import Passed
from locanda.games.choosing import Choice, choose
from locanda.games.game import AnyGame
from locanda.games.gatto_rosso import types as wire
from locanda.games.gatto_rosso.fast import NOBODY, Position, rules_of
from locanda.games.gatto_rosso.player.heuristic import card_of
from locanda.games.gatto_rosso.player.sampling import sample
from locanda.games.gatto_rosso.rules import beaters
from locanda.games.gatto_rosso.types import DealState, Event, Move, Options, Play, Played, Refilled, View
from locanda.games.players import Budget, Situation
from locanda.messages import ComputerLevel
from locanda.texts.table import reasons_of
from services.engine.table.fairness import shuffle
from tests.games.gatto_rosso.game import GAME, PLAYERS

TABLES: list[tuple[dict[str, Any], int]] = [
    *(({}, players) for players in range(2, 11)),
    ({"cats": True}, 4),
    ({"cats": True, "cats_strict": True}, 3),
    *(({"three_suits": suit, "cats": True}, 2) for suit in "shdc"),
    ({"voluntary_pass": True}, 4),
    ({"pass_lock": True}, 5),
    ({"pass_lock": True, "voluntary_pass": True, "last_trick": "play_out"}, 5),
    ({"last_trick": "play_out"}, 3),
    ({"last_trick": "nobody"}, 2),
    ({"last_deal": "equal_shares"}, 7),
]
EVERY_TABLE = pytest.mark.parametrize(("options", "players"), TABLES)


def _start(options: dict[str, Any], players: int, seed: int) -> DealState:
    chosen = msgspec.convert(options, Options)
    return GAME.deal(chosen, players, seed % players, Random(seed).randbytes(32), shuffle, None)


def _positions(options: dict[str, Any], players: int, seed: int) -> Iterator[tuple[DealState, tuple[Event, ...], Move]]:
    """Play a deal at random: every deal on the way, the events up to it, and the move that follows."""
    rng, deal, history = Random(seed), _start(options, players, seed), ()
    while deal.turn is not None:
        move = rng.choice(GAME.moves(deal))
        yield deal, history, move
        deal, events = GAME.play(deal, move, shuffle)
        history = (*history, *events)


# --- what a player knows


def _contradiction(deal: DealState, history: tuple[Event, ...]) -> str | None:
    """Return why a deal cannot be the one of this history: an independent check, backwards from its hands.

    Going back, a seat takes back what it played; at a refill, every choice of cards that it may have drawn is tried;
    and at a forced pass, the hands that could have answered are struck out.
    """
    played = {CARDS[event.card] for event in history if isinstance(event, Played)}
    cards = [*deal.stock, *(card for hand in deal.hands for card in members(hand))]
    if len(set(cards)) < len(cards) or not played.isdisjoint(cards):
        return "a card is in two places"
    for seat, hand in enumerate(deal.hands):
        if not _explained(frozenset(members(hand)), seat, deal.options, history[::-1]):
            return f"seat {seat} cannot hold these cards"
    return None


def _explained(hand: frozenset[int], seat: int, options: Options, backwards: tuple[Event, ...]) -> bool:
    hands = {hand}
    for number, event in enumerate(backwards):
        if isinstance(event, Played) and event.seat == seat:
            hands = {before | {CARDS[event.card]} for before in hands}
        elif isinstance(event, Passed) and event.seat == seat and not options.voluntary_pass:
            top = next(CARDS[event_.card] for event_ in backwards[number:] if isinstance(event_, Played))
            hands = {held for held in hands if not any(beaters(options)[top] >> card & 1 for card in held)}
        elif isinstance(event, Refilled):
            drawn = event.drawn[seat]
            hands = {before.difference(new) for before in hands for new in combinations(before, drawn)}
    return bool(hands)


@EVERY_TABLE
def test_a_sample_contradicts_nothing_that_is_public(options: dict[str, Any], players: int) -> None:
    for deal, history, _ in _positions(options, players, 1):
        situation = Situation(GAME.view(deal, deal.turn), history)
        drawn = sample(situation, Random(2))
        assert GAME.view(drawn, deal.turn) == situation.view
        assert _contradiction(drawn, history) is None


def test_cards_drawn_from_the_view_alone_do_contradict_the_history() -> None:
    """The check above finds what it is for."""
    errors = {
        _contradiction(GAME.determinize(GAME.view(deal, deal.turn), Random(2)), history)
        for deal, history, _ in _positions({}, 4, 1)
    }
    assert {"a card is in two places", "seat 0 cannot hold these cards"} <= errors


@EVERY_TABLE
def test_without_history_a_sample_agrees_with_the_view(options: dict[str, Any], players: int) -> None:
    for deal, _, _ in _positions(options, players, 3):
        view = GAME.view(deal, deal.turn)
        assert GAME.view(sample(Situation(view, None), Random(4)), deal.turn) == view


def test_without_history_those_who_have_just_passed_cannot_beat_the_top_card() -> None:
    for deal, _, _ in _positions({}, 4, 5):
        if deal.passes and deal.last is not None:
            drawn = sample(Situation(GAME.view(deal, deal.turn), None), Random(6))
            for step in range(1, deal.passes + 1):
                seat = (deal.last + step) % 4
                assert not drawn.hands[seat] & beaters(deal.options)[deal.table[-1]]


def test_a_pass_that_was_free_proves_nothing() -> None:
    free, forced = (
        {
            card
            for seed in range(60)
            for card in members(sample(Situation(_after_a_pass(GAME, free=free), None), Random(seed)).hands[1])
        }
        for free in (True, False)
    )
    assert CARDS["Kh"] in free
    assert CARDS["Kh"] not in forced


def _after_a_pass(game: AnyGame, *, free: bool) -> View:
    """Seat 0 has played the 2h, and seat 1 has passed."""
    hands = [["Ad", "2d", "3d"], ["Ah", "3s", "4s", "5s"], ["Ac", "2c", "3c", "4c"]]
    deal = _read(hands=hands, table=["2h"], turn=2, last=0, passes=1, options={"voluntary_pass": free})
    view: View = game.view(deal, 2)
    return view


def _read(**fields: Any) -> DealState:
    return GAME.from_wire(msgspec.convert({"game": "gatto_rosso", **fields}, wire.Deal))


# --- the simulator


@EVERY_TABLE
def test_the_simulator_follows_the_rules(options: dict[str, Any], players: int) -> None:
    for seed in range(3):
        simulated, after = None, None
        for deal, _, move in _positions(options, players, seed):
            if simulated is None:
                simulated = Position(rules_of(deal.options), list(deal.hands), deal.stock, list(deal.captured))
                simulated.turn = deal.turn or 0
            assert _public(simulated) == (deal.turn, deal.hands, deal.captured, len(deal.stock), len(deal.table))
            assert [card for card in map(card_of, GAME.moves(deal)) if card >= 0] == members(simulated.legal())
            simulated.move(card_of(move))
            after, _ = GAME.play(deal, move, shuffle)
        assert simulated is not None
        assert after is not None
        assert simulated.turn == NOBODY
        assert tuple(simulated.captured) == after.captured


def _public(position: Position) -> tuple[object, ...]:
    return position.turn, tuple(position.hands), tuple(position.captured), position.left, position.pile


# --- choices

LEVELS: list[ComputerLevel] = ["easy", "medium", "hard"]


def _choice(deal: DealState, history: tuple[Event, ...] | None, level: ComputerLevel, seed: int = 7) -> Choice:
    situation = Situation(GAME.view(deal, deal.turn), history)
    return choose(GAME, situation, level, Random(seed), Budget(iterations=30))


@EVERY_TABLE
def test_every_level_plays_by_the_rules_to_the_end(options: dict[str, Any], players: int) -> None:
    deal, history = _start(options, players, 8), ()
    while deal.turn is not None:
        choice = _choice(deal, history, LEVELS[deal.turn % 3])
        assert GAME.check(deal, choice.move) is None
        deal, events = GAME.play(deal, choice.move, shuffle)
        history = (*history, *events)


@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_does_not_depend_on_hidden_cards(level: ComputerLevel) -> None:
    for deal, history, _ in _positions({}, 3, 9):
        hidden = structs.replace(sample(Situation(GAME.view(deal, deal.turn), history), Random(10)), seed=bytes(32))
        assert _choice(hidden, history, level) == _choice(deal, history, level)


@pytest.mark.parametrize("known", [True, False])
def test_the_same_seed_and_iterations_make_the_same_search(known: bool) -> None:
    for deal, history, _ in list(_positions({}, 2, 11))[::4]:
        situation = Situation(GAME.view(deal, deal.turn), history if known else None)
        moves = GAME.moves(deal)
        analyses = [PLAYERS.weigh(situation, moves, Random(12), Budget(iterations=40)) for _ in range(2)]
        assert analyses[0] == analyses[1]
        assert {weighed.move for weighed in analyses[0].weighed} == set(moves)


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_it_plays_the_card_that_its_others_make_superfluous(level: ComputerLevel) -> None:
    """Of the 2h and the Kh, both of which answer the As, the 2h beats no card that the Kh does not beat."""
    deal = _read(hands=[["2h", "Kh", "Kc", "Kd"], ["3d", "4c", "5h", "Ah"]], turn=0, table=["As"], last=1, stock=["Ac"])
    assert _choice(deal, None, level).move == Play("2h")


@pytest.mark.parametrize(("players", "card"), [(4, "Qh"), (5, "Ac")])
def test_with_many_players_medium_leads_what_the_next_one_can_beat(players: int, card: str) -> None:
    """The Kh answers all that the Qh does, nothing else answers diamonds as the Ac does; most cards beat the Ac."""
    others = [["Ad"], ["2d"], ["3d"], ["4d"]]
    deal = _read(hands=[["Kh", "Qh", "Ac"], *others[: players - 1]], turn=0, stock=["5d", "5h", "5c", "5s", "Ks"])
    assert _choice(deal, (), "medium").move == Play(card)


# --- reasons


@EVERY_TABLE
def test_every_reason_is_declared_with_just_its_facts(options: dict[str, Any], players: int) -> None:
    declared = {code: set(reason.facts) for code, reason in reasons_of("gatto_rosso").items()}
    for deal, history, move in _positions(options, players, 13):
        situation = Situation(GAME.view(deal, deal.turn), history)
        if reason := PLAYERS.explain(situation, move, GAME.moves(deal), "expert"):
            assert set(reason.facts) == declared[reason.code]
