"""Finds secrets in the bot's messages: every payload to the Telegram emulator is compared with the true tables.

A payload may show the cards that its readers could see at one moment, now or a little earlier: cards in their view of
the table, and cards in recent events. All cards that a payload shows of one table must be explained by a single moment.
Seeds are secret until their match is over. The tokens of seats and of the bot are always secret. The tables are read
from the engine's Redis when the payload arrives, before it takes effect, so they are at least as new as the tables that
the bot has read. Payloads that arrive while Redis is away wait until it can be read.
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
"""The number of past states that a payload may show. A failed payload is sent again while the game goes on."""
RECENT_EVENTS = 12
"""The number of events before a state that its messages may mention."""
TOKEN_LENGTH = 43
_LONG_WORD = re.compile(r"[\w-]{35,}")

Codes = frozenset[str]


class Leak(Struct, frozen=True):
    """A payload that shows a secret to a reader."""

    call: str
    """The number and the method of the Bot API call."""
    audience: Codes
    """The names of its readers, and the titles of groups."""
    secrets: Codes
    """The codes of the leaked cards, or the kind of the secret."""
    payload: str


class _Payload(Struct, frozen=True):
    """A Bot API call that has not been compared with the tables yet."""

    call: RecordedCall
    texts: list[str]
    cards: Codes
    """The cards that the call shows, except cards that its message has shown before."""


class _State(Struct, frozen=True):
    """A version of a table, and the cards in its last events."""

    table: AnyTable
    recent: Codes

    def shows(self, reader: User | None) -> Codes:
        """Return the cards of this state that a reader may see. `None` stands for everybody in a group."""
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
        """Return the largest subset of these cards that a reader could see at a single moment."""
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
        """Read the changes of every table. Raises `StoreDownError` while Redis is away."""
        async for page in self._store.tables(512):
            for table in page:
                await self._catch_up(table)

    async def _catch_up(self, table: str) -> None:
        names = keys.of(table)
        # Run only the script, because other actions of the store on loading a table would act like an engine.
        state, deltas = await self._store._backend.run(scripts.HISTORY, [names.state, names.events], [])
        if state is None:
            return
        history = self.histories.get(table, _History())
        for snapshot in apply_deltas(snapshot_of(state), deltas, history.version):
            history.add(codec.decode(snapshot.data))
            self.histories[table] = history


class NoticeGuard:
    """Checks every decrypted push, and records pushes that show a card, a seed or a token."""

    def __init__(self, store: Store) -> None:
        self._tables = _Tables(store)
        self.waiting: list[JsonObject] = []
        self.leaks: list[tuple[str, JsonObject]] = []
        self.compared = 0
        """The number of notices that were compared with a table in play."""

    async def inspect(self, notice: JsonObject) -> None:
        """Compare a notice with the tables now, or as soon as they can be read."""
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
        assert [secret for secret, _ in self.leaks] == []
        assert not self.waiting, "what these were sent of could not be read"
        assert self.compared


class SecrecyGuard:
    """Checks every payload on arrival, and records payloads that show secrets."""

    def __init__(self, telegram: Emulator, store: Store) -> None:
        self._telegram = telegram
        self._read = _Tables(store)
        self._tables = self._read.histories
        self._drawn: dict[str, Codes] = {}
        self._waiting: list[_Payload] = []
        self.leaks: list[Leak] = []
        self.compared = 0
        """The number of payloads with cards that were compared with a table in play."""

    @property
    def tables(self) -> list[AnyTable]:
        """The tables in the state in which they were last read."""
        return [history.states[-1].table for history in self._tables.values()]

    def assert_none(self) -> None:
        """Fail if a payload has shown a secret."""
        assert not self.leaks, "\n".join(map(str, self.leaks))
        assert not self._waiting, "what these were drawn from could not be read"

    async def inspect(self, call: RecordedCall) -> None:
        """Compare a call with the tables now, or as soon as they can be read."""
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
        """Return the cards that a call shows in its texts, its buttons and their data, and its photos."""
        games = frozenset(table.game for table in self.tables)
        cards = frozenset[str]().union(*(_cards_in_text(text, games) for text in texts))
        files = (hashlib.sha256(file).hexdigest() for file in call.files.values())
        return cards.union(*(self._drawn.get(file, ()) for file in files))

    async def look(self) -> None:
        """Read the changes of every table, and check the waiting payloads. Does nothing while Redis is away."""
        came = [*self._waiting]
        try:
            await self._read.look()
        except StoreDownError:
            return
        for payload in came:
            if payload in self._waiting:  # another check may have removed the payload meanwhile
                self._waiting.remove(payload)
                self._judge(payload)

    def _readers(self, call: RecordedCall) -> set[User | None]:
        """Return the readers of a call. In a group the only reader is `None`, which stands for everybody."""
        users = self._telegram.world.users
        return {
            users[reader_id] if len(call.audience) == 1 and reader_id in users else None for reader_id in call.audience
        }

    def _hidden(self, cards: Codes, reader: User | None) -> Codes:
        """Return those cards of tables in play that a reader could not see."""
        decks = [_deck(table.game) for table in self.tables if _is_in_play(table)]
        left = cards.intersection(frozenset[str]().union(*decks))
        self.compared += bool(left)
        for history in self._tables.values():
            left -= history.explained(left, reader)
        return left

    def _shown_before(self, call: RecordedCall) -> Codes:
        """Return the cards that the edited message has shown before. Showing them again reveals nothing."""
        chat, message = self._telegram.world.chats.get(call.chat_id or 0), call.params.get("message_id")
        if chat is None or message is None:
            return frozenset()
        shown = (shown_message.text for shown_message in chat.history if str(shown_message.message_id) == str(message))
        return frozenset[str]().union(*(_cards_in_text(text, frozenset()) for text in shown))

    def _name(self, reader: int) -> str:
        world = self._telegram.world
        return world.users[reader].name if reader in world.users else world.chats[reader].title

    async def draw_photo(self, photo: Photo) -> bytes:
        """Draw a photo like the bot, and record its cards, except decorative cards at the end of a match."""
        file = await photos.draw_photo(photo)
        rows: CardRows = () if isinstance(photo, Podium) else photo
        self._drawn[hashlib.sha256(file).hexdigest()] = frozenset(code for row in rows for code in row)
        return file


@asynccontextmanager
async def guarded(telegram: Emulator, store: Store) -> AsyncIterator[SecrecyGuard]:
    """Check all payloads of a bot whose engine uses this store. Fail at the end if a secret was shown.

    Photos are checked only if the bot runs in this process.
    """
    guard = SecrecyGuard(telegram, store)
    with telegram.inspected_by(guard.inspect), patch.object(bot_api, "draw_photo", guard.draw_photo):
        yield guard
    guard.assert_none()


# --- cards


_ID = re.compile(r"(?<![\w-])[\w-]{22}(?![\w-])")
"""A table's id. A part of it between hyphens may look like a card, for example `X`."""


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
    # The lookbehind stands once at the beginning, so that names with another first letter are skipped quickly.
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(label) + _end_of(label) for label in longest_first)})"), codes


def _end_of(label: str) -> str:
    """Return a lookahead pattern for the end of a name.

    The name `I` may be a word, and a single symbol may begin a longer name.
    """
    if label == "I":
        return r"(?!\w| [a-z])"
    return r"(?!\w)" if re.search(r"\w", label) else r"(?! ?\w)"


@cache
def _cards_in_text(text: str, games: frozenset[str]) -> Codes:
    """Return the cards that a text names, or that a button's move uses in one of these games."""
    button = unpack(text)
    if button is not None:
        return _cards_of_move(button.code, games) if isinstance(button, MakeMove) else frozenset()
    pattern, codes = _labels()
    return frozenset(codes[label] for label in pattern.findall(_ID.sub("", text)))


def _cards_of_move(code: str, games: Iterable[str]) -> Codes:
    """Return the cards in the code of a move, decoded as a move of any of these games."""
    codes = set[str]()
    for game in games:
        with suppress(LookupError, ValueError):
            codes |= _codes_in(move_of(game, code), game)
    return frozenset(codes)


def _codes_in(value: object, game: str) -> Codes:
    return _deck(game) & _strings(msgspec.to_builtins(value))


def _strings(value: object) -> set[str]:
    """Return every string in a JSON value."""
    if isinstance(value, str):
        return {value}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return set[str]().union(*map(_strings, parts))


# --- tables


def _is_in_play(table: AnyTable) -> bool:
    return table.match.result is None and table.deal is not None


def _is_held(kind: str, name: str, names: Iterable[str]) -> bool:
    """Return whether a person with one of these names has a seat.

    A number may be added to a seat's name to make it unique.
    """
    return kind == "person" and any(re.fullmatch(rf"{re.escape(own_name)}(?: \d+)?", name) for own_name in names)


def _seen(table: AnyTable, seat: int | None) -> Codes:
    return frozenset() if table.deal is None else _codes_in(game_of(table).view(table.deal, seat), table.game)


# --- seeds and tokens


def _may_be_secret(text: str) -> bool:
    """Return whether a text contains a word that is as long as a token or a seed."""
    return bool(_LONG_WORD.search(text))


def _secrets_in(texts: Iterable[str], tables: Iterable[_History]) -> Iterator[str]:
    """Yield the kind of each secret (seed or token) that a payload shows."""
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
    """Return the seeds of a table that are still secret."""
    match = table.match
    deals = [match.deal_seed(deal) for deal in range(match.deal + 1)]
    return [match.root] if match.result else [match.root, match.server_seed, *deals]
