"""The calls of the operator: tables, maintenance, engines, API keys, bans, blocked names, players, numbers, acts."""

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
from services.engine.http.api.handlers.system import shown_maintenance
from services.engine.http.api.route import ADMIN, Route
from services.engine.http.server.context import AppContext
from services.engine.http.server.limits import client_key
from services.engine.http.server.responses import JSON, Response
from services.engine.service.administration import Operator, at, time_or_none
from services.engine.service.day_numbers import by_game
from services.engine.service.table_administration import TableFilter
from services.engine.service.validation import ImpossibleError, read_game

PATH = "/v1/admin"
"""deploy/Caddyfile closes it to the public."""


class TablesQuery(Request, frozen=True):
    """Which tables."""

    game: Annotated[str, Meta(max_length=64, description="Only tables of this game.")] | UnsetType = UNSET
    status: Annotated[Status, Meta(description="Only tables of this status.")] | UnsetType = UNSET
    cursor: Annotated[str, Meta(max_length=64, description="The `next` of the page before.")] | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=1000, description="A page has about so many tables.")] = 100


class DaysQuery(Request, frozen=True):
    """Which days."""

    days: Annotated[int, Meta(ge=1, le=400, description="The last so many days, with today.")] = 7


class ActsQuery(Request, frozen=True):
    """Which acts."""

    last: Annotated[int, Meta(ge=1, le=10_000, description="The last so many acts.")] = 100


# --- tables


async def tables(context: AppContext, *, query: TablesQuery) -> AdminTablePage:
    """Return some tables."""
    wanted = TableFilter(query.game or None, query.status or None)
    return await context.service.tables.page(wanted, query.cursor or "", query.limit)


async def close_table(context: AppContext, *, table: str, operator: Operator) -> Done:
    """End a table."""
    await context.service.tables.close(table, operator)
    return Done()


async def remove_table(context: AppContext, *, table: str, operator: Operator) -> Done:
    """Delete a table."""
    await context.service.tables.remove(table, operator)
    return Done()


# --- maintenance and engines


async def announce(
    context: AppContext, *, body: AnnounceMaintenance, language: Language, operator: Operator
) -> Maintenance:
    """Announce maintenance."""
    administration = context.service.administration
    announced = await administration.announce(body.in_minutes, body.minutes, body.text, operator)
    return shown_maintenance(announced, administration.now(), language)


async def end_maintenance(context: AppContext, *, operator: Operator) -> Done:
    """Take the announcement back."""
    await context.service.administration.end_maintenance(operator)
    return Done()


async def engines(context: AppContext) -> Engines:
    """Return the engines that serve."""
    administration = context.service.administration
    reports = await administration.engines()
    draining = administration.set.draining
    return Engines(
        [
            Engine(name, report.release, at(report.started), report.streams, name in draining)
            for name, report in reports.items()
        ]
    )


async def drain(context: AppContext, *, entry: str, operator: Operator) -> Engines:
    """Let an engine take no new connections."""
    await context.service.administration.drain(entry, operator)
    return await engines(context)


async def resume(context: AppContext, *, entry: str, operator: Operator) -> Engines:
    """Let an engine take connections again."""
    await context.service.administration.resume(entry, operator)
    return await engines(context)


# --- keys, bans, names


async def keys(context: AppContext) -> ApiKeyList:
    """Return the API keys."""
    administration = context.service.administration
    uses = await administration.uses()
    kept = [
        ApiKey(name, at(key.created), time_or_none(uses.get(name)))
        for name, key in sorted(administration.set.keys.items())
    ]
    return ApiKeyList(kept, context.api_keys.required)


async def add_key(context: AppContext, *, body: NewKey, operator: Operator) -> IssuedKey:
    """Make an API key."""
    return IssuedKey(body.name, await context.service.administration.add_key(body.name, operator))


async def remove_key(context: AppContext, *, entry: str, operator: Operator) -> ApiKeyList:
    """Refuse an API key from now on."""
    await context.service.administration.remove_key(entry, operator)
    return await keys(context)


async def bans(context: AppContext) -> BanList:
    """Return the bans in force."""
    administration = context.service.administration
    now = administration.now()
    found = sorted(administration.set.bans.items(), key=lambda each: each[1].since)
    return BanList(
        [
            Ban(client, ban.reason, at(ban.since), time_or_none(ban.until))
            for client, ban in found
            if ban.until is None or ban.until > now
        ]
    )


async def ban(context: AppContext, *, body: NewBan, operator: Operator) -> BanList:
    """Refuse a client."""
    await context.service.administration.ban(_client(body.client), body.reason, body.minutes, operator)
    return await bans(context)


async def lift_ban(context: AppContext, *, entry: str, operator: Operator) -> BanList:
    """Serve a client again."""
    await context.service.administration.lift_ban(_client(entry), operator)
    return await bans(context)


def _client(text: str) -> str:
    """Return the network of a text, or that by which an address is counted. Raises `ImpossibleError`."""
    try:
        return str(ip_network(text if "/" in text else client_key(text), strict=False))
    except ValueError:
        raise ImpossibleError("client", "this is neither an address nor a network") from None


async def names(context: AppContext) -> BlockedNames:
    """Return the blocked names."""
    return BlockedNames(list(context.service.administration.set.blocked_names))


async def block_name(context: AppContext, *, body: NewBlockedName, operator: Operator) -> BlockedNames:
    """Let nobody take a name."""
    await context.service.administration.block_name(body.name, operator)
    return await names(context)


async def allow_name(context: AppContext, *, entry: str, operator: Operator) -> BlockedNames:
    """Let people take a name again."""
    await context.service.administration.allow_name(entry, operator)
    return await names(context)


# --- own players


async def players(context: AppContext) -> ListedPlayers:
    """Return the own players of the host's."""
    set_ = context.service.administration.set
    listed = [_listed(each, at(set_.players[each.entry].since)) for each in set_.own_players]
    return ListedPlayers(listed + [_listed(each) for each in context.service.own_players.of_settings])


def _listed(player: OwnPlayer, since: datetime | None = None) -> ListedPlayer:
    return ListedPlayer(player.name, player.game, player.server.secret is not None, since)


async def add_player(context: AppContext, *, body: OwnPlayer, operator: Operator) -> ListedPlayers:
    """Let an own player play here."""
    if body.game is not None:
        read_game(body.game)
    context.service.own_players.require_reachable(body.server)
    await context.service.administration.add_player(body, operator)
    return await players(context)


async def remove_player(context: AppContext, *, entry: str, operator: Operator) -> ListedPlayers:
    """Let an own player play here no longer."""
    await context.service.administration.remove_player(entry, operator)
    return await players(context)


# --- numbers and acts


async def days(context: AppContext, *, query: DaysQuery) -> Days:
    """Return the numbers of the last days."""
    found = await context.service.administration.days(query.days)
    return Days([Day(day, by_game(stored)) for day, stored in found])


async def acts(context: AppContext, *, query: ActsQuery) -> Acts:
    """Return what operators did."""
    return Acts(await context.service.administration.acts(query.last))


async def document(context: AppContext) -> Response:
    """Return the OpenAPI document of these calls."""
    return Response(context.documentation.admin_openapi, headers={"Content-Type": JSON})


# --- routes

ROUTES: tuple[Route, ...] = (
    Route(
        operation_id="admin_tables",
        method="GET",
        path=f"{PATH}/tables",
        handler=tables,
        summary="All tables",
        group=ADMIN,
        details="In pages, each with more or fewer tables than the limit. No cards, no tokens, no seeds.",
        query=TablesQuery,
        response=AdminTablePage,
        own_problems=("impossible",),
    ),
    Route(
        operation_id="close_table",
        method="POST",
        path=f"{PATH}/tables/{{table}}/close",
        handler=close_table,
        summary="Close a table",
        group=ADMIN,
        details="As if everybody had left it: the match ends without a result. Matches before it can still be checked.",
        response=Done,
        act=True,
        own_problems=("already_over",),
    ),
    Route(
        operation_id="remove_table",
        method="DELETE",
        path=f"{PATH}/tables/{{table}}",
        handler=remove_table,
        summary="Remove a table",
        group=ADMIN,
        details="Closes it, and deletes it with its deals: nothing can be checked any more.",
        response=Done,
        act=True,
    ),
    Route(
        operation_id="announce_maintenance",
        method="PUT",
        path=f"{PATH}/maintenance",
        handler=announce,
        summary="Announce maintenance",
        group=ADMIN,
        details="Page, bot and terminal show it. It takes the place of an earlier announcement, and stops nothing.",
        body=AnnounceMaintenance,
        response=Maintenance,
        localized=True,
        act=True,
    ),
    Route(
        operation_id="end_maintenance",
        method="DELETE",
        path=f"{PATH}/maintenance",
        handler=end_maintenance,
        summary="Take the announcement back",
        group=ADMIN,
        response=Done,
        act=True,
    ),
    Route(
        operation_id="engines",
        method="GET",
        path=f"{PATH}/engines",
        handler=engines,
        summary="The engines that serve",
        group=ADMIN,
        response=Engines,
    ),
    Route(
        operation_id="drain_engine",
        method="PUT",
        path=f"{PATH}/engines/{{entry}}/drain",
        handler=drain,
        summary="Let an engine take no new connections",
        group=ADMIN,
        details=(
            "It answers what it has begun and ends its streams, whose clients go on elsewhere. It is not ready "
            "(`/readyz`) until it is resumed, or started anew."
        ),
        response=Engines,
        act=True,
        own_problems=("last_engine", "shared_address"),
    ),
    Route(
        operation_id="resume_engine",
        method="DELETE",
        path=f"{PATH}/engines/{{entry}}/drain",
        handler=resume,
        summary="Let an engine take connections again",
        group=ADMIN,
        response=Engines,
        act=True,
    ),
    Route(
        operation_id="keys",
        method="GET",
        path=f"{PATH}/keys",
        handler=keys,
        summary="The API keys in Redis, and when each was used last",
        group=ADMIN,
        response=ApiKeyList,
    ),
    Route(
        operation_id="add_key",
        method="POST",
        path=f"{PATH}/keys",
        handler=add_key,
        summary="Make an API key",
        group=ADMIN,
        details="From the first one on, only holders of a key open tables.",
        body=NewKey,
        response=IssuedKey,
        status=201,
        act=True,
        own_problems=("entry_taken", "too_many_entries"),
    ),
    Route(
        operation_id="remove_key",
        method="DELETE",
        path=f"{PATH}/keys/{{entry}}",
        handler=remove_key,
        summary="Refuse an API key from now on",
        group=ADMIN,
        details="Without any key, here or in `ENGINE_API_KEYS`, everybody may open tables: see `required`.",
        response=ApiKeyList,
        act=True,
    ),
    Route(
        operation_id="bans",
        method="GET",
        path=f"{PATH}/bans",
        handler=bans,
        summary="The clients that are refused",
        group=ADMIN,
        response=BanList,
    ),
    Route(
        operation_id="ban",
        method="POST",
        path=f"{PATH}/bans",
        handler=ban,
        summary="Refuse a client",
        group=ADMIN,
        details="Its requests are refused from now on, and its streams end.",
        body=NewBan,
        response=BanList,
        status=201,
        act=True,
        own_problems=("impossible", "entry_taken", "too_many_entries"),
    ),
    Route(
        operation_id="lift_ban",
        method="DELETE",
        path=f"{PATH}/bans/{{entry}}",
        handler=lift_ban,
        summary="Serve a client again",
        group=ADMIN,
        response=BanList,
        act=True,
        own_problems=("impossible",),
    ),
    Route(
        operation_id="blocked_names",
        method="GET",
        path=f"{PATH}/names",
        handler=names,
        summary="The names that nobody may take",
        group=ADMIN,
        response=BlockedNames,
    ),
    Route(
        operation_id="block_name",
        method="POST",
        path=f"{PATH}/names",
        handler=block_name,
        summary="Let nobody take a name",
        group=ADMIN,
        details="Who bears it already keeps it until they leave.",
        body=NewBlockedName,
        response=BlockedNames,
        status=201,
        act=True,
        own_problems=("entry_taken", "too_many_entries"),
    ),
    Route(
        operation_id="allow_name",
        method="DELETE",
        path=f"{PATH}/names/{{entry}}",
        handler=allow_name,
        summary="Let people take a name again",
        group=ADMIN,
        response=BlockedNames,
        act=True,
    ),
    Route(
        operation_id="players",
        method="GET",
        path=f"{PATH}/players",
        handler=players,
        summary="The own players of the host's",
        group=ADMIN,
        response=ListedPlayers,
    ),
    Route(
        operation_id="add_player",
        method="POST",
        path=f"{PATH}/players",
        handler=add_player,
        summary="Let an own player play here",
        group=ADMIN,
        details=(
            "It is one of the `levels` of its game, or of all games, at every engine. It takes the place of one of "
            "`ENGINE_PLAYERS` of the same name. Nobody is told its address and its secret."
        ),
        body=OwnPlayer,
        response=ListedPlayers,
        status=201,
        act=True,
        own_problems=("impossible", "entry_taken", "too_many_entries"),
    ),
    Route(
        operation_id="remove_player",
        method="DELETE",
        path=f"{PATH}/players/{{entry}}",
        handler=remove_player,
        summary="Let an own player play here no longer",
        group=ADMIN,
        details="By its name, with `:` and its game behind it if it is for one game. Where it sits, `medium` plays.",
        response=ListedPlayers,
        act=True,
    ),
    Route(
        operation_id="days",
        method="GET",
        path=f"{PATH}/days",
        handler=days,
        summary="The numbers of the last days",
        group=ADMIN,
        query=DaysQuery,
        response=Days,
    ),
    Route(
        operation_id="acts",
        method="GET",
        path=f"{PATH}/acts",
        handler=acts,
        summary="What operators did",
        group=ADMIN,
        query=ActsQuery,
        response=Acts,
    ),
    Route(
        operation_id="admin_document",
        method="GET",
        path=f"{PATH}/openapi.json",
        handler=document,
        summary="This document",
        group=ADMIN,
        response=JSON,
    ),
)
