"""Play-outs of many deals in one request, run in a worker process; requests and answers are bytes.

Like `thought`, this module imports only the rules and the computer players, so that a worker loads nothing else.
"""

import secrets
from collections.abc import Iterator
from functools import cache
from random import Random
from time import thread_time
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Raw, Struct

from locanda import messages
from locanda.games import choosing
from locanda.games.game import AnyGame, MalformedDealError
from locanda.games.players import Budget, Situation
from locanda.games.rules import GAMES
from locanda.games.shuffling import shuffle

WORK_SECONDS = 1.0
"""Seconds of processor time after which no further move is played."""
ANSWER_BYTES = 1 << 20
"""Size of an answer in bytes after which no further deal begins."""


class Wrong(Exception):  # noqa: N818  (control flow, not an error)
    """A part of a play-out cannot be decoded: its deal, its start or one of its moves."""

    def __init__(self, part: Literal["deal", "start", "moves"], move: int = 0) -> None:
        super().__init__(part)
        self.part = part
        self.move = move


class WrongPart(Struct, frozen=True, array_like=True, tag=True):
    """The part of a request that cannot be decoded."""

    playout: int
    part: Literal["deal", "start", "moves"]
    move: int


class PlayedOut(Struct, frozen=True, array_like=True, tag=True):
    """A list of `messages.PlayoutEnd` encoded as JSON, and the number of deals that were not begun."""

    playouts: bytes
    left: int


_requests = msgspec.json.Decoder(messages.PlayoutsRequest)
_json = msgspec.json.Encoder()
_encoder = msgspec.msgpack.Encoder()
_answers = msgspec.msgpack.Decoder(PlayedOut | WrongPart)


def question(game: AnyGame, request: messages.PlayoutsRequest) -> bytes:
    """Return a request as bytes for a worker."""
    return game.name.encode() + b"\n" + _json.encode(request)


def read_answer(data: bytes) -> PlayedOut | WrongPart:
    """Return a worker's answer."""
    answer: PlayedOut | WrongPart = _answers.decode(data)
    return answer


def answer(data: bytes) -> bytes:
    """Return the encoded answer to an encoded request. Runs in a worker."""
    game, _, request = data.partition(b"\n")
    return _encoder.encode(_Run(GAMES[game.decode()], _requests.decode(request)).answer())


# --- inside a worker


class _Run:
    """The play-outs of a request, until all are done or a limit is reached."""

    def __init__(self, game: AnyGame, request: messages.PlayoutsRequest) -> None:
        self._game = game
        self._request = request
        self._seed = secrets.token_hex(32) if request.seed is None else request.seed
        self._until = thread_time() + WORK_SECONDS

    def answer(self) -> PlayedOut | WrongPart:
        ends: list[bytes] = []
        repetitions, size = sum(asked_playout.times for asked_playout in self._request.playouts), 0
        for number, playout in enumerate(self._request.playouts):
            try:
                for end in self._ends(number, playout):
                    ends.append(end)
                    size += len(end)
                    if size > ANSWER_BYTES or thread_time() > self._until:
                        return _played(ends, repetitions)
            except Wrong as wrong:
                return WrongPart(number, wrong.part, wrong.move)
        return _played(ends, repetitions)

    def _ends(self, number: int, playout: messages.Playout) -> Iterator[bytes]:
        """Yield the end of each repetition of a play-out, as JSON. Raises `Wrong` if a part of it cannot be decoded."""
        moves = [self._move(raw, place) for place, raw in enumerate(playout.moves)]
        posted_deal = None if playout.deal is UNSET else self._posted(playout.deal)
        for time in range(playout.times):
            rng = Random(f"{self._seed} {number} {time}")  # noqa: S311  (chooses moves)
            deal = posted_deal if posted_deal is not None else self._dealt(playout.start, rng)
            played = _Playing(self._game, deal, None if posted_deal is not None else [])
            refusal = played.given(moves)
            steps = None if playout.steps is UNSET else playout.steps
            done = refusal is not None or not playout.then or played.on(playout.then, steps, rng, self._until)
            yield _json.encode(self._shown(number, played, refusal, done=done))

    def _move(self, raw: Raw, place: int) -> Struct:
        try:
            move: Struct = _moves_of(self._game.name).decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Wrong("moves", place) from None
        return move

    def _posted(self, deal: Any) -> Any:  # noqa: ANN401  (any game's)
        try:
            if isinstance(deal, self._game.wire_type):
                return self._game.from_wire(deal)
        except MalformedDealError:
            pass
        raise Wrong("deal")

    def _dealt(self, start: Any, rng: Random) -> Any:  # noqa: ANN401
        try:
            options = msgspec.convert(start.options, self._game.options)
        except msgspec.ValidationError:
            raise Wrong("start") from None
        if start.seats not in self._game.seats(options) or start.dealer >= start.seats:
            raise Wrong("start")
        seed = rng.randbytes(32) if start.seed is None else bytes.fromhex(start.seed)
        return self._game.deal(options, start.seats, start.dealer, seed, shuffle, None)

    def _shown(
        self, number: int, played: "_Playing", refusal: messages.PlayoutRefusal | None, *, done: bool
    ) -> messages.PlayoutEnd:
        game, deal, show = self._game, played.deal, self._request.show
        return messages.PlayoutEnd(
            playout=number,
            done=done,
            steps=played.steps,
            turn=deal.turn,
            result=game.result(deal),
            refusal=UNSET if refusal is None else refusal,
            deal=game.to_wire(deal) if "deal" in show or not done else UNSET,
            moves=_plain(game.moves(deal)) if "moves" in show else UNSET,
            events=_plain(played.events) if "events" in show else UNSET,
            views=[game.view(deal, seat) for seat in range(len(deal.hands))] if "views" in show else UNSET,
        )


class _Playing:
    """A deal being played, with its events."""

    def __init__(self, game: AnyGame, deal: Any, history: list[Any] | None) -> None:  # noqa: ANN401
        self.deal = deal
        self.events: list[Any] = []
        self.steps = 0
        self._game = game
        self._history = history
        """The events since the cards were dealt; None if unknown."""

    def given(self, moves: list[Struct]) -> messages.PlayoutRefusal | None:
        """Play these moves in order. Return the refusal of the first illegal move, or None."""
        for place, move in enumerate(moves):
            refusal = self._game.check(self.deal, move)
            if refusal is not None:
                return messages.PlayoutRefusal(place, refusal.code, refusal.facts)
            self._make(move)
        return None

    def on(self, who: messages.PlayoutPlayer, steps: int | None, rng: Random, until: float) -> bool:
        """Let a computer player play on, at least one step. Return whether the end was reached in time."""
        most = None if steps is None else self.steps + steps
        while self.deal.turn is not None and (most is None or self.steps < most):
            self._make(self._chosen(who, rng))
            if thread_time() > until:
                return self.deal.turn is None or self.steps == most
        return True

    def _chosen(self, who: messages.PlayoutPlayer, rng: Random) -> Struct:
        moves = self._game.moves(self.deal)
        if who == "random":
            random: Struct = moves[int(rng.random() * len(moves))]
            return random
        history = None if self._history is None else tuple(self._history)
        situation = Situation(self._game.view(self.deal, self.deal.turn), history)
        try:
            chosen: Struct = choosing.choose(self._game, situation, who, rng, Budget(iterations=0)).move
        except TimeoutError:
            raise
        except Exception:
            if history is not None:
                raise
            raise Wrong("deal") from None  # the client has sent a deal that no game could have reached
        return chosen

    def _make(self, move: Struct) -> None:
        self.deal, events = self._game.play(self.deal, move, shuffle)
        self.events += events
        if self._history is not None:
            self._history += events
        self.steps += 1


def _plain(values: list[Any]) -> Any:  # noqa: ANN401  (moves or events)
    """Return moves or events unchanged, under the type that they have in JSON, since the next step encodes them."""
    return values


@cache
def _moves_of(game: str) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(GAMES[game].move_type)


def _played(ends: list[bytes], repetitions: int) -> PlayedOut:
    return PlayedOut(b"[" + b",".join(ends) + b"]", repetitions - len(ends))
