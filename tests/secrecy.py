"""Finds secrets in the bot's messages: every payload to the Telegram emulator is compared with the true tables.

A payload may show cards that its readers could see at one moment, now or a little earlier: those of their view of the
table, and those of recent events. For each table there must be one such moment for all its cards. Seeds are secret
until their match is over; seats' tokens and the bot's token always. The tables are read from the engine's Redis when
the payload arrives, before it takes effect, so they are at least as new as the bot's. Payloads that arrive while Redis
is away wait until it can be read.
"""

import hashlib
import re
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import get_args
from unittest.mock import patch

import msgspec
from msgspec import Struct

from locanda.games.rules import GAMES
from locanda.messages import JsonObject
from locanda.texts.games import texts_of
from locanda.translations import Language, translations_in
from services.engine.service import codec, tokens
from services.engine.store import Store, keys, scripts
from services.engine.store.errors import StoreDownError
from services.engine.store.records import apply_deltas, snapshot_of
from services.engine.table.state import AnyTable, game_of
from services.telegram.callback_data import MakeMove, unpack
from services.telegram.move_codes import move_of
from services.telegram.records import CardRows, Photo, Podium
from services.telegram.sending import bot_api, photos
from tests.emulator import Emulator
from tests.emulator.journal import RecordedCall
from tests.emulator.state import User

KEPT_STATES = 64
"""The number of past states that a payload may show, since a failed one is sent again while the game goes on."""
RECENT_EVENTS = 12
"""The number of events before a state that its screens may mention."""
TOKEN_LENGTH = 43
_LONG_WORD = re.compile(r"[\w-]{35,}")

Codes = frozenset[str]


class Leak(Struct, frozen=True):
    """A payload that shows a secret to one of its readers."""

    call: str
    """The number and the method of the call."""
    audience: Codes
    """The names of its readers, and the titles of groups."""
    secrets: Codes
    """The codes of cards, or the kind of secret."""
    payload: str


class _Payload(Struct, frozen=True):
    """A call that is still to be compared with the tables."""

    call: RecordedCall
    texts: list[str]
    cards: Codes
    """The cards that it shows, without those already shown by its message."""


class _State(Struct, frozen=True):
    """A table at a version, and the cards of its last events."""

    table: AnyTable
    recent: Codes

    def shows(self, reader: User | None) -> Codes:
        """Return the cards of this state that a reader may see; None means everybody."""
        names = {} if reader is None else {reader.name, reader.first_name}
        seats = [number for number, seat in enumerate(self.table.seats) if _is_held(seat.kind, seat.name, names)]
        return self.recent.union(*(_seen(self.table, seat) for seat in (None, *seats)))


class _History:
    """The last states of a table, oldest first."""

    def __init__(self) -> None:
        self.states: deque[_State] = deque(maxlen=KEPT_STATES)
        self._events: deque[Codes] = deque(maxlen=RECENT_EVENTS)

    @property
    def version(self) -> int:
        return self.states[-1].table.version if self.states else 0

    def add(self, table: AnyTable) -> None:
        """Add the next state."""
        for event in table.events:
            self._events.append(_codes_in(event, table.game))
        self.states.append(_State(table, frozenset[str]().union(*self._events)))

    def explained(self, codes: Codes, reader: User | None) -> Codes:
        """Return the largest part of these cards that a reader could see at one moment."""
        most: Codes = frozenset()
        for state in reversed(self.states):
            most = max(most, codes & state.shows(reader), key=len)
            if most == codes:
                break
        return most


class _Tables:
    """The tables of a store, with their recent histories."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.histories: dict[str, _History] = {}

    async def look(self) -> None:
        """Read the news of every table. Raises `StoreDownError`."""
        async for page in self._store.tables(512):
            for table in page:
                await self._catch_up(table)

    async def _catch_up(self, table: str) -> None:
        names = keys.of(table)
        # Only the script, because a store's other actions on loading a table would act like an engine.
        state, deltas = await self._store._backend.run(scripts.HISTORY, [names.state, names.events], [])
        if state is None:
            return
        history = self.histories.get(table, _History())
        for snapshot in apply_deltas(snapshot_of(state), deltas, history.version):
            history.add(codec.decode(snapshot.data))
            self.histories[table] = history


class NoticeGuard:
    """Checks every decrypted push, and records those with a card, a seed or a token."""

    def __init__(self, store: Store) -> None:
        self._tables = _Tables(store)
        self.waiting: list[JsonObject] = []
        self.leaks: list[tuple[str, JsonObject]] = []
        self.compared = 0
        """Notices that were compared with a table with cards in play."""

    async def inspect(self, notice: JsonObject) -> None:
        """Compare a notice with the tables now, or once they can be read."""
        self.waiting.append(notice)
        came = [*self.waiting]
        with suppress(StoreDownError):
            await self._tables.look()
            for waiting in came:
                if waiting in self.waiting:
                    self.waiting.remove(waiting)
                    self._judge(waiting)

    def _judge(self, notice: JsonObject) -> None:
        histories, texts = self._tables.histories.values(), _strings(notice)
        games = frozenset(history.states[-1].table.game for history in histories)
        self.compared += any(_is_in_play(state.table) for history in histories for state in history.states)
        leaked = {*_secrets_in(texts, histories)}.union(*(_cards_in_text(text, games) for text in texts))
        leaked |= texts & frozenset[str]().union(*map(_deck, games))
        self.leaks += [(secret, notice) for secret in leaked]

    def assert_none(self) -> None:
        """Fail if a notice has shown a secret, or if no notice was compared."""
        assert not self.leaks
        assert not self.waiting, "what these were sent of could not be read"
        assert self.compared


class SecrecyGuard:
    """Checks every payload on arrival, and records those that show secrets."""

    def __init__(self, telegram: Emulator, store: Store) -> None:
        self._telegram = telegram
        self._read = _Tables(store)
        self._tables = self._read.histories
        self._drawn: dict[str, Codes] = {}
        self._waiting: list[_Payload] = []
        self.leaks: list[Leak] = []
        self.compared = 0
        """Payloads with cards that were compared with a table in play."""

    @property
    def tables(self) -> list[AnyTable]:
        """The tables as last read."""
        return [history.states[-1].table for history in self._tables.values()]

    def assert_none(self) -> None:
        """Fail if a payload has shown a secret."""
        assert not self.leaks, "\n".join(map(str, self.leaks))
        assert not self._waiting, "what these were drawn from could not be read"

    async def inspect(self, call: RecordedCall) -> None:
        """Compare a call with the tables now, or once they can be read."""
        texts = list(call.texts())
        if not self._tables:
            await self.look()
        cards = self._cards_in(call, texts)
        if not call.audience or not (
            cards or any(map(_may_be_secret, texts)) or any(self._telegram.token in text for text in texts)
        ):
            return
        self._waiting.append(_Payload(call, texts, cards - self._shown_before(call)))
        await self.look()

    def _judge(self, payload: _Payload) -> None:
        call = payload.call
        leaked = {*_secrets_in(payload.texts, self._tables.values())}
        if any(self._telegram.token in text for text in payload.texts):
            leaked.add("the bot's token")
        for reader in self._readers(call):
            leaked |= self._hidden(payload.cards, reader)
        if leaked:
            names = frozenset(self._name(reader_id) for reader_id in call.audience)
            self.leaks.append(Leak(f"{call.number} {call.method}", names, frozenset(leaked), call.payload))

    def _cards_in(self, call: RecordedCall, texts: list[str]) -> Codes:
        """Return the cards in a call: in its texts, its buttons with their data, and its photos."""
        games = frozenset(table.game for table in self.tables)
        cards = frozenset[str]().union(*(_cards_in_text(text, games) for text in texts))
        files = (hashlib.sha256(file).hexdigest() for file in call.files.values())
        return cards.union(*(self._drawn.get(file, ()) for file in files))

    async def look(self) -> None:
        """Read the news of every table, and judge the waiting payloads. Does nothing while Redis is away."""
        came = [*self._waiting]
        try:
            await self._read.look()
        except StoreDownError:
            return
        for payload in came:
            if payload in self._waiting:  # another check may have judged it
                self._waiting.remove(payload)
                self._judge(payload)

    def _readers(self, call: RecordedCall) -> set[User | None]:
        """Return the readers of a call; in a group that is everybody."""
        users = self._telegram.world.users
        return {
            users[reader_id] if len(call.audience) == 1 and reader_id in users else None for reader_id in call.audience
        }

    def _hidden(self, cards: Codes, reader: User | None) -> Codes:
        """Return the cards of tables in play that a reader could not see."""
        decks = [_deck(table.game) for table in self.tables if _is_in_play(table)]
        left = cards.intersection(frozenset[str]().union(*decks))
        self.compared += bool(left)
        for history in self._tables.values():
            left -= history.explained(left, reader)
        return left

    def _shown_before(self, call: RecordedCall) -> Codes:
        """Return the cards that the edited message has already shown; showing them again reveals nothing."""
        chat, message = self._telegram.world.chats.get(call.chat_id or 0), call.params.get("message_id")
        if chat is None or message is None:
            return frozenset()
        shown = (shown_message.text for shown_message in chat.history if str(shown_message.message_id) == str(message))
        return frozenset[str]().union(*(_cards_in_text(text, frozenset()) for text in shown))

    def _name(self, reader: int) -> str:
        world = self._telegram.world
        return world.users[reader].name if reader in world.users else world.chats[reader].title

    async def draw_photo(self, photo: Photo) -> bytes:
        """Draw a photo as the bot does, and record its cards, except decorative ones at the end of a match."""
        file = await photos.draw_photo(photo)
        rows: CardRows = () if isinstance(photo, Podium) else photo
        self._drawn[hashlib.sha256(file).hexdigest()] = frozenset(code for row in rows for code in row)
        return file


@asynccontextmanager
async def guarded(telegram: Emulator, store: Store) -> AsyncIterator[SecrecyGuard]:
    """Check all payloads of a bot whose engine has this store; fail at the end if a secret was shown.

    Photos are checked only if the bot runs in this process.
    """
    guard = SecrecyGuard(telegram, store)
    with telegram.inspected_by(guard.inspect), patch.object(bot_api, "draw_photo", guard.draw_photo):
        yield guard
    guard.assert_none()


# --- cards


@cache
def _deck(game: str) -> Codes:
    return frozenset(texts_of(game).deck(translations_in("en")))


@cache
def _labels() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern for the names of all cards of all games, and the code of each name."""
    decks = [texts_of(game).deck(translations_in(language)) for game in GAMES for language in get_args(Language)]
    words = [(code, words) for deck in decks for code, words in deck.items()]
    names = {card_words.name: code for code, card_words in words if " " in card_words.name}
    codes = names | {card_words.short: code for code, card_words in words}
    longest_first = sorted(codes, key=len, reverse=True)
    # The lookbehind comes once at the beginning, so that names with another first letter are skipped quickly.
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(label) + _end_of(label) for label in longest_first)})"), codes


def _end_of(label: str) -> str:
    """Return a lookahead pattern for a name: `I` may be a word, and a single symbol the beginning of a longer name."""
    if label == "I":
        return r"(?!\w| [a-z])"
    return r"(?!\w)" if re.search(r"\w", label) else r"(?! ?\w)"


@cache
def _cards_in_text(text: str, games: frozenset[str]) -> Codes:
    """Return the cards named in a text, or used by a button's move in one of the games being played."""
    button = unpack(text)
    if button is not None:
        return _cards_of_move(button.code, games) if isinstance(button, MakeMove) else frozenset()
    pattern, codes = _labels()
    return frozenset(codes[label] for label in pattern.findall(text))


def _cards_of_move(code: str, games: Iterable[str]) -> Codes:
    """Return the cards of a move's code in any of these games."""
    codes = set[str]()
    for game in games:
        with suppress(LookupError, ValueError):
            codes |= _codes_in(move_of(game, code), game)
    return frozenset(codes)


def _codes_in(value: object, game: str) -> Codes:
    return _deck(game) & _strings(msgspec.to_builtins(value))


def _strings(value: object) -> set[str]:
    """Return every string in a value of JSON."""
    if isinstance(value, str):
        return {value}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return set[str]().union(*map(_strings, parts))


# --- tables


def _is_in_play(table: AnyTable) -> bool:
    return table.match.result is None and table.deal is not None


def _is_held(kind: str, name: str, names: Iterable[str]) -> bool:
    """Whether a person with one of these names has a seat. A seat's name may have a number added to make it unique."""
    return kind == "person" and any(re.fullmatch(rf"{re.escape(own_name)}(?: \d+)?", name) for own_name in names)


def _seen(table: AnyTable, seat: int | None) -> Codes:
    return frozenset() if table.deal is None else _codes_in(game_of(table).view(table.deal, seat), table.game)


# --- seeds and tokens


def _may_be_secret(text: str) -> bool:
    """Whether a text holds a word as long as a token or a seed."""
    return bool(_LONG_WORD.search(text))


def _secrets_in(texts: Iterable[str], tables: Iterable[_History]) -> Iterator[str]:
    """Yield the kinds of seeds and tokens that a payload shows."""
    text = "\n".join(texts)
    digests = {
        tokens.digest(word[start : start + TOKEN_LENGTH])
        for word in _LONG_WORD.findall(text)
        for start in range(len(word) - TOKEN_LENGTH + 1)
    }
    for history in tables:
        if any(seat.token in digests for state in history.states for seat in state.table.seats):
            yield "a seat's token"
        if any(seed.hex() in text for seed in _seeds(history.states[-1].table)):
            yield "a seed"


def _seeds(table: AnyTable) -> list[bytes]:
    """Return the seeds of a table that nobody may know yet."""
    match = table.match
    deals = [match.deal_seed(deal) for deal in range(match.deal + 1)]
    return [match.root] if match.result else [match.root, match.server_seed, *deals]
