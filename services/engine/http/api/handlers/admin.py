"""The operator's calls: tables, maintenance, engines, API keys, bans, blocked names, players, statistics, audit log."""

from datetime import datetime
from ipaddress import ip_network
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from locanda.messages import Language, Maintenance, Request, Status
from locanda.messages.administration import (
    Acts,
    AdminTablePage,
    AnnounceMaintenance,
    ApiKey,
    ApiKeyList,
    Ban,
    BanList,
    BlockedNames,
    Day,
    Days,
    Done,
    Engine,
    Engines,
    IssuedKey,
    ListedPlayer,
    ListedPlayers,
    NewBan,
    NewBlockedName,
    NewKey,
)
from locanda.messages.own_players import OwnPlayer
from services.engine.http.api.declaring import Calls
from services.engine.http.api.handlers.system import shown_maintenance
from services.engine.http.api.route import ADMIN
from services.engine.http.server.context import AppContext
from services.engine.http.server.limits import client_key
from services.engine.http.server.responses import JSON, Response
from services.engine.service.administration import Operator, at, time_or_none
from services.engine.service.day_numbers import by_game
from services.engine.service.table_administration import TableFilter
from services.engine.service.validation import ImpossibleError, read_game

PATH = "/v1/admin"
"""`deploy/Caddyfile` blocks this path from outside."""

calls = Calls()


class TablesQuery(Request, frozen=True):
    """Filter of the list of tables, and which page of the list."""

    game: Annotated[str, Meta(max_length=64, description="Only tables of this game.")] | UnsetType = UNSET
    status: Annotated[Status, Meta(description="Only tables of this status.")] | UnsetType = UNSET
    cursor: Annotated[str, Meta(max_length=64, description="The `next` of the previous page.")] | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=1000, description="The approximate number of tables in a page.")] = 100


class DaysQuery(Request, frozen=True):
    """Number of days to return."""

    days: Annotated[int, Meta(ge=1, le=400, description="The number of days, including today.")] = 7


class ActsQuery(Request, frozen=True):
    """Number of acts to return."""

    last: Annotated[int, Meta(ge=1, le=10_000, description="The number of acts, newest first.")] = 100


# --- tables


@calls.read(ADMIN, f"{PATH}/tables", name="admin_tables", problems=("impossible",))
async def tables(context: AppContext, *, query: TablesQuery) -> AdminTablePage:
    """List the tables.

    Pages may have more or fewer tables than the limit. Cards, tokens and seeds are left out.
    """
    wanted = TableFilter(query.game or None, query.status or None)
    return await context.service.tables.page(wanted, query.cursor or "", query.limit)


@calls.call(ADMIN, "POST", f"{PATH}/tables/{{table}}/close", problems=("already_over",))
async def close_table(context: AppContext, *, table: str, operator: Operator) -> Done:
    """Close a table.

    The effect is the same as if everybody had left: the match ends without a result. Earlier matches can still be
    checked.
    """
    await context.service.tables.close(table, operator)
    return Done()


@calls.call(ADMIN, "DELETE", f"{PATH}/tables/{{table}}")
async def remove_table(context: AppContext, *, table: str, operator: Operator) -> Done:
    """Remove a table.

    The table is closed and deleted with its deals, so they can no longer be checked.
    """
    await context.service.tables.remove(table, operator)
    return Done()


# --- maintenance and engines


@calls.call(ADMIN, "PUT", f"{PATH}/maintenance")
async def announce_maintenance(
    context: AppContext, *, body: AnnounceMaintenance, language: Language, operator: Operator
) -> Maintenance:
    """Announce maintenance.

    The page, the bot and the terminal show it. It replaces an earlier announcement, and does not stop anything.
    """
    administration = context.service.administration
    announced = await administration.announce(body.in_minutes, body.minutes, body.text, operator)
    return shown_maintenance(announced, administration.now(), language)


@calls.call(ADMIN, "DELETE", f"{PATH}/maintenance")
async def end_maintenance(context: AppContext, *, operator: Operator) -> Done:
    """Withdraw the announcement of maintenance."""
    await context.service.administration.end_maintenance(operator)
    return Done()


@calls.read(ADMIN, f"{PATH}/engines")
async def engines(context: AppContext) -> Engines:
    """List the running engines."""
    administration = context.service.administration
    reports = await administration.engines()
    draining = administration.set.draining
    return Engines(
        [
            Engine(name, report.release, at(report.started), report.streams, name in draining)
            for name, report in reports.items()
        ]
    )


@calls.call(ADMIN, "PUT", f"{PATH}/engines/{{entry}}/drain", problems=("last_engine", "shared_address"))
async def drain_engine(context: AppContext, *, entry: str, operator: Operator) -> Engines:
    """Stop an engine from taking new connections.

    It finishes its requests and ends its streams, whose clients continue on another engine. `/readyz` says that it is
    not ready, until it is resumed or restarted.
    """
    await context.service.administration.drain(entry, operator)
    return await engines(context)


@calls.call(ADMIN, "DELETE", f"{PATH}/engines/{{entry}}/drain")
async def resume_engine(context: AppContext, *, entry: str, operator: Operator) -> Engines:
    """Allow an engine to take new connections again."""
    await context.service.administration.resume(entry, operator)
    return await engines(context)


# --- keys, bans, names


@calls.read(ADMIN, f"{PATH}/keys")
async def keys(context: AppContext) -> ApiKeyList:
    """List the API keys in Redis, with the time when each was last used."""
    administration = context.service.administration
    uses = await administration.uses()
    kept = [
        ApiKey(name, at(key.created), time_or_none(uses.get(name)))
        for name, key in sorted(administration.set.keys.items())
    ]
    return ApiKeyList(kept, context.api_keys.required)


@calls.call(ADMIN, "POST", f"{PATH}/keys", status=201, problems=("entry_taken", "too_many_entries"))
async def add_key(context: AppContext, *, body: NewKey, operator: Operator) -> IssuedKey:
    """Create an API key.

    As soon as there is a key, only its holders can open tables.
    """
    return IssuedKey(body.name, await context.service.administration.add_key(body.name, operator))


@calls.call(ADMIN, "DELETE", f"{PATH}/keys/{{entry}}")
async def remove_key(context: AppContext, *, entry: str, operator: Operator) -> ApiKeyList:
    """Remove an API key.

    Without any key, here or in `ENGINE_API_KEYS`, everybody may open tables: see `required`.
    """
    await context.service.administration.remove_key(entry, operator)
    return await keys(context)


@calls.read(ADMIN, f"{PATH}/bans")
async def bans(context: AppContext) -> BanList:
    """List the banned clients."""
    administration = context.service.administration
    now = administration.now()
    by_since = sorted(administration.set.bans.items(), key=lambda item: item[1].since)
    return BanList(
        [
            Ban(client, ban.reason, at(ban.since), time_or_none(ban.until))
            for client, ban in by_since
            if ban.until is None or ban.until > now
        ]
    )


@calls.call(ADMIN, "POST", f"{PATH}/bans", status=201, problems=("impossible", "entry_taken", "too_many_entries"))
async def ban(context: AppContext, *, body: NewBan, operator: Operator) -> BanList:
    """Ban a client.

    Its requests are refused from now on, and its streams end.
    """
    await context.service.administration.ban(_client(body.client), body.reason, body.minutes, operator)
    return await bans(context)


@calls.call(ADMIN, "DELETE", f"{PATH}/bans/{{entry}}", problems=("impossible",))
async def lift_ban(context: AppContext, *, entry: str, operator: Operator) -> BanList:
    """Lift a ban."""
    await context.service.administration.lift_ban(_client(entry), operator)
    return await bans(context)


def _client(text: str) -> str:
    """Return a client as a network: the given one, or the network in which rate limits count the given address.

    Raises `ImpossibleError` if the text is neither an address nor a network.
    """
    try:
        return str(ip_network(text if "/" in text else client_key(text), strict=False))
    except ValueError:
        raise ImpossibleError("client", "this is neither an address nor a network") from None


@calls.read(ADMIN, f"{PATH}/names")
async def blocked_names(context: AppContext) -> BlockedNames:
    """List the blocked names."""
    return BlockedNames(list(context.service.administration.set.blocked_names))


@calls.call(ADMIN, "POST", f"{PATH}/names", status=201, problems=("entry_taken", "too_many_entries"))
async def block_name(context: AppContext, *, body: NewBlockedName, operator: Operator) -> BlockedNames:
    """Block a name.

    People who already have it keep it until they leave.
    """
    await context.service.administration.block_name(body.name, operator)
    return await blocked_names(context)


@calls.call(ADMIN, "DELETE", f"{PATH}/names/{{entry}}")
async def allow_name(context: AppContext, *, entry: str, operator: Operator) -> BlockedNames:
    """Unblock a name."""
    await context.service.administration.allow_name(entry, operator)
    return await blocked_names(context)


# --- own players


@calls.read(ADMIN, f"{PATH}/players")
async def players(context: AppContext) -> ListedPlayers:
    """List the host's own players."""
    set_ = context.service.administration.set
    listed = [_listed(own, at(set_.players[own.entry].since)) for own in set_.own_players]
    return ListedPlayers(listed + [_listed(entry) for entry in context.service.own_players.of_settings])


def _listed(player: OwnPlayer, since: datetime | None = None) -> ListedPlayer:
    return ListedPlayer(player.name, player.game, player.server.secret is not None, since)


@calls.call(ADMIN, "POST", f"{PATH}/players", status=201, problems=("impossible", "entry_taken", "too_many_entries"))
async def add_player(context: AppContext, *, body: OwnPlayer, operator: Operator) -> ListedPlayers:
    """Add an own player.

    It becomes one of the `levels` of its game, or of all games, on every engine. It replaces a player of
    `ENGINE_PLAYERS` with the same name. Its address and its secret are never shown.
    """
    if body.game is not None:
        read_game(body.game)
    context.service.own_players.require_reachable(body.server)
    await context.service.administration.add_player(body, operator)
    return await players(context)


@calls.call(ADMIN, "DELETE", f"{PATH}/players/{{entry}}")
async def remove_player(context: AppContext, *, entry: str, operator: Operator) -> ListedPlayers:
    """Remove an own player.

    It is identified by its name, followed by `:` and its game if it is for one game. Level `medium` continues in its
    seats.
    """
    await context.service.administration.remove_player(entry, operator)
    return await players(context)


# --- numbers and acts


@calls.read(ADMIN, f"{PATH}/days")
async def days(context: AppContext, *, query: DaysQuery) -> Days:
    """Get statistics of the last days."""
    numbers = await context.service.administration.days(query.days)
    return Days([Day(day, by_game(stored)) for day, stored in numbers])


@calls.read(ADMIN, f"{PATH}/acts")
async def acts(context: AppContext, *, query: ActsQuery) -> Acts:
    """List the acts of operators."""
    return Acts(await context.service.administration.acts(query.last))


@calls.read(ADMIN, f"{PATH}/openapi.json", name="admin_document", media=JSON)
async def document(context: AppContext) -> Response:
    """Get this document."""
    return Response(context.documentation.admin_openapi, headers={"Content-Type": JSON})
