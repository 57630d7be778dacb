"""Settings that operators change while engines run.

These are API keys, bans, blocked names, maintenance, drained engines, and own players (computer players on somebody's
server).
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cached_property, lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

import msgspec
from msgspec import Raw, Struct

from locanda.messages import OwnServer
from locanda.messages.own_players import OwnPlayer
from services.common.names import looks
from services.engine.store.errors import DamagedError
from services.engine.table.state import NewerReleaseError

FORM = 1
"""Newest storage format that this release can read."""
MOST = 1000
"""Maximum number of keys, bans or names, since every engine keeps all in memory."""


class KeyState(Struct, frozen=True):
    """An API key."""

    digest: bytes
    """SHA-256 of the key."""
    created: int


class BanState(Struct, frozen=True):
    """A ban of a client. Times are epoch milliseconds."""

    reason: str
    since: int
    until: int | None


class MaintenanceState(Struct, frozen=True):
    """An announced maintenance. Times are epoch milliseconds."""

    begins: int
    ends: int | None
    text: str


class PlayerState(Struct, frozen=True, omit_defaults=True):
    """An own player (a computer player on somebody's server) that operators have added."""

    url: str
    since: int
    secret: str | None = None

    def __repr__(self) -> str:
        """Return a text without the values, some of which are secret."""
        return "PlayerState(...)"


class Administered(Struct, frozen=True, omit_defaults=True, dict=True):
    """Everything that operators have set. Immutable: each change makes a new value."""

    form: int = FORM
    keys: Mapping[str, KeyState] = {}
    """API keys by name."""
    bans: Mapping[str, BanState] = {}
    """Bans by address or network."""
    blocked_names: tuple[str, ...] = ()
    maintenance: MaintenanceState | None = None
    draining: tuple[str, ...] = ()
    """Names of drained engines."""
    players: Mapping[str, PlayerState] = {}
    """Own players by name. The name of a player for a single game is followed by `:` and the game."""

    def is_banned(self, client: str, now: int) -> bool:
        """Return whether a client, given as an address or network, is banned."""
        return any(ban.until is None or now < ban.until for ban in self._bans_of(client))

    def is_blocked(self, name: str) -> bool:
        """Return whether a name is blocked."""
        names, pattern = self._blocked
        return any(form in names or pattern.fullmatch(form) for form in _forms(name))

    def maintenance_at(self, now: int) -> MaintenanceState | None:
        """Return the maintenance notice that people see at a time, or None."""
        maintenance = self.maintenance
        return (
            None if maintenance is None or (maintenance.ends is not None and maintenance.ends <= now) else maintenance
        )

    @cached_property
    def own_players(self) -> tuple[OwnPlayer, ...]:
        """The own players that operators have added, sorted by name."""
        return tuple(_own_player(entry, state) for entry, state in sorted(self.players.items()))

    @cached_property
    def _bans_of(self) -> Any:  # noqa: ANN401  (a cached function)
        networks = [(ip_network(client), ban) for client, ban in self.bans.items()]

        @lru_cache(maxsize=4096)
        def bans_of(client: str) -> list[BanState]:
            return [ban for network, ban in networks if _covers(network, client)]

        return bans_of

    @cached_property
    def _blocked(self) -> tuple[frozenset[str], re.Pattern[str]]:
        """All normalized forms of the blocked names, and a pattern for the names with `*`."""
        forms = {form for name in self.blocked_names for form in _forms(name)}
        patterns = [".*".join(map(re.escape, form.split("*"))) for form in sorted(forms) if "*" in form]
        return frozenset(forms), re.compile("|".join(patterns) or "(?!)", re.DOTALL)


def _covers(network: IPv4Network | IPv6Network, client: str) -> bool:
    try:
        client_network = ip_network(client)
    except ValueError:  # clients of a Unix socket have no address
        return False
    if isinstance(network, IPv4Network):
        return isinstance(client_network, IPv4Network) and client_network.subnet_of(network)
    return isinstance(client_network, IPv6Network) and client_network.subnet_of(network)


def _own_player(entry: str, state: PlayerState) -> OwnPlayer:
    name, _, game = entry.partition(":")
    return OwnPlayer(name, OwnServer(state.url, state.secret), game or None)


def _forms(name: str) -> set[str]:
    """Return the normalized forms of a name and of names that look the same."""
    return {_folded(form) for form in (name, *looks(name))}


def _folded(name: str) -> str:
    """Return a name in lower case, without accents and spaces."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char) and not char.isspace())


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Administered)
_raw_decoder = msgspec.msgpack.Decoder(dict[str, Raw])


def encode(administered: Administered, before: bytes = b"") -> bytes:
    """Return the bytes to store, with fields of the stored value `before` that this release does not know."""
    encoded = _encoder.encode(administered)
    fields = _raw_decoder.decode(before) if before else {}
    unknown = {name: fields[name] for name in fields.keys() - set(Administered.__struct_fields__)}
    return _encoder.encode(_raw_decoder.decode(encoded) | unknown) if unknown else encoded


def decode(data: bytes) -> Administered:
    """Return the decoded values. Raises `NewerReleaseError` or `DamagedError`."""
    if not data:
        return Administered()
    try:
        stored = _decoder.decode(data)
    except msgspec.MsgspecError:
        raise DamagedError from None
    if stored.form > FORM:
        raise NewerReleaseError
    return stored
