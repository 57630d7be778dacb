"""Own players: computer players on other people's servers. An engine asks them for moves, with the body of `suggest`.

Own players get the seat's view and the public events, like the engine's own computer players. If an answer is missing
or invalid, the game continues with the engine's own move.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from locanda.games.game import AnyGame
from locanda.messages import COMPUTER_LEVELS, OwnServer
from locanda.messages.own_players import OwnPlayer
from services.common.fair_queue import Bounds
from services.common.places import NoPlaceError, Places
from services.engine.outbound.addresses import Network
from services.engine.outbound.answers import Failure, OutboundError, Post
from services.engine.outbound.signing import signed
from services.engine.outbound.targets import refusal_of, target_of
from services.engine.service.validation import ImpossibleError
from services.engine.table import history
from services.engine.table.state import AnyTable, ServerState, game_of

SECONDS = 3.0
"""Seconds that an own player may take for a move."""
PATIENCE = 1.0
"""Seconds that a move waits for a free request slot. `PATIENCE` plus `SECONDS` is shorter than a clock's claim on a
table.
"""
ANSWER_BYTES = 16_384
AT_ONCE = Bounds(places=64, asker_places=8, target_places=lambda _: 16)
"""Maximum number of simultaneous requests: in total, for the tables of one opener, and to one target."""
OK = 200

NoMove: TypeAlias = Failure | Literal["status", "malformed", "illegal", "unknown", "busy"]
"""Why an own player gave no move. `busy`: no request was sent, since no slot was free in time."""


class NoMoveError(Exception):
    """An own player gave no move. The message has the reason, but nothing about the player's server."""

    def __init__(self, reason: NoMove) -> None:
        super().__init__(reason)
        self.reason = reason


class _Asked(Struct, omit_defaults=True):
    """The request to an own player: the body of `suggest`, plus the legal moves."""

    view: Struct
    moves: list[Any]
    history: Sequence[Struct] | UnsetType = UNSET


class _Answered(Struct):
    move: Raw


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Answered)


class OwnPlayers:
    """The own players that an engine knows: those of its operator, and those that people bring to their tables."""

    def __init__(
        self,
        post: Post | None = None,
        of_settings: Sequence[OwnPlayer] = (),
        *,
        added: Callable[[], Sequence[OwnPlayer]] = tuple,
        from_people: bool = False,
        listed: Sequence[Network] = (),
    ) -> None:
        """`added` returns the own players that operators have added. Their addresses may be in `listed` networks."""
        self._post = post
        self._listed = listed
        self.of_settings = of_settings
        """The operator's own players from the settings."""
        self._added = added
        self.from_people = from_people
        """Whether people may bring own players to their tables."""
        self._places, self._brought_places = Places(AT_ONCE), Places(AT_ONCE)
        """Request slots for the operator's own players, and separate slots for those that people have brought."""

    def levels(self, game: str) -> tuple[str, ...]:
        """Return the levels for seats of a game on this server: the engine's, then the operator's own players."""
        return (*COMPUTER_LEVELS, *dict.fromkeys(player.level for player in self._of_host(game)))

    def require_reachable(self, server: OwnServer) -> None:
        """Raise `ImpossibleError` if no requests may be sent to a server's address."""
        if refusal := refusal_of(server.url, self._listed):
            raise ImpossibleError("server.url", refusal)

    def _of_host(self, game: str) -> list[OwnPlayer]:
        """Return the operator's own players for a game.

        Those for only this game come before those for all games. In each group, the players that operators have added
        come first.
        """
        players = [player for player in (*self._added(), *self.of_settings) if player.plays(game)]
        return sorted(players, key=lambda player: player.game is None)

    async def move(self, table: AnyTable, number: int, level: str, known: tuple[Struct, ...] | None) -> Struct:
        """Return the move of an own player on turn; `known` is the history in `Situation`. Raises `NoMoveError`."""
        game, server = game_of(table), self._server_of(table, level)
        if server is None or self._post is None:
            raise NoMoveError("unknown")
        seen = history.situation(table, number, known)
        body_fields = _Asked(seen.view, game.moves(table.deal), UNSET if known is None else known)
        body, headers = _encoder.encode(body_fields), {}
        if server.secret is not None:
            headers = dict(signed(server.secret, _message_id(table), round(time.time()), body))
        places = self._brought_places if level in (table.servers or {}) else self._places
        try:
            async with places.place(table.opener, target_of(server.url), patience=PATIENCE):
                answer = await self._post(server.url, body, headers, seconds=SECONDS, most_bytes=ANSWER_BYTES)
        except NoPlaceError:
            raise NoMoveError("busy") from None
        except OutboundError as error:
            raise NoMoveError(error.failure) from None
        if answer.status != OK:
            raise NoMoveError("status")
        return _legal(game, table, answer.body)

    def _server_of(self, table: AnyTable, level: str) -> ServerState | None:
        """Return the server of an own player that was brought to the table, or else of the operator's own player."""
        brought = (table.servers or {}).get(level)
        of_host = (player.server for player in self._of_host(table.game) if player.level == level)
        return brought or next((ServerState(player.url, player.secret) for player in of_host), None)


def _message_id(table: AnyTable) -> str:
    """Return the id of the request for a move. It is the same on every engine, and does not reveal the table's id."""
    return "move_" + hashlib.sha256(f"{table.id} {table.version}".encode()).hexdigest()[:32]


def _legal(game: AnyGame, table: AnyTable, body: bytes) -> Struct:
    """Return the move in an answer. Raises `NoMoveError` if the answer is malformed or the move is illegal."""
    try:
        move: Struct = msgspec.json.decode(_decoder.decode(body).move, type=game.move_type)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise NoMoveError("malformed") from None
    if game.check(table.deal, move) is not None:
        raise NoMoveError("illegal")
    return move
