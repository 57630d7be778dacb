"""The HTTP server, which answers only `/bot<token>/<method>`."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from tests.emulator.bot_api_types import methods
from tests.emulator.journal import RecordedCall
from tests.emulator.methods import catalogue
from tests.emulator.methods.ephemeral import PARAMETERS as EPHEMERAL_PARAMETERS
from tests.emulator.refusals import Fault, RefusedError, Spoiling
from tests.emulator.state import JSON
from tests.emulator.validate import parameters
from tests.emulator.world import World

MOST_BYTES = 50 * 1024 * 1024


@asynccontextmanager
async def serving(world: World, host: str, port: int) -> AsyncIterator[str]:
    """Serves the Bot API on a local address and yields the base URL."""
    await asyncio.to_thread(methods)
    app = web.Application(client_max_size=MOST_BYTES)
    app.router.add_route("*", "/{tail:.*}", _Handler(world).handle)
    # A poll whose client has died must end, so that it does not take the updates of the next poll.
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, host, port)
    await site.start()
    try:
        yield f"http://{host}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


class _Handler:
    def __init__(self, world: World) -> None:
        self.world = world

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if self.world.faults.outage:
            return _cut(request)
        token, _, method = request.match_info["tail"].removeprefix("bot").partition("/")
        if not request.path.startswith("/bot") or not method:
            return _refused(RefusedError(404, "Not Found"))
        if token != self.world.token:
            return _refused(RefusedError(401, "Unauthorized"))
        try:
            params, files = await _raw(request)
            call = self._record(method, params)
            call.files = files
        except ValueError:
            return _refused(RefusedError(400, "Bad Request: can't parse JSON object"))
        await self._show_inspectors(call)
        self.world.uploads = files
        fault = self.world.faults.take(method, call.chat_id)
        return await self._serve(request, call, fault)

    async def _show_inspectors(self, call: RecordedCall) -> None:
        for inspect_call in self.world.inspectors:
            try:
                await inspect_call(call)
            except Exception as crash:
                self.world.crashes.append(crash)
                raise

    async def _serve(self, request: web.Request, call: RecordedCall, fault: Fault | None) -> web.StreamResponse:
        if fault is not None and fault.cut == "before":
            return _cut(request)
        try:
            result = await self._run(call, fault)
        except RefusedError as refusal:
            call.status, call.answer = refusal.status, refusal.answer()
        except Exception as crash:
            self.world.crashes.append(crash)
            raise
        else:
            call.status, call.answer = 200, {"ok": True, "result": result}
        self.world.changes.notify()
        if fault is not None and fault.delay:
            await asyncio.sleep(fault.delay)
        if self.world.faults.outage or (fault is not None and fault.cut == "after"):
            return _cut(request)
        return web.json_response(call.answer, status=call.status)

    async def _run(self, call: RecordedCall, fault: Fault | None) -> object:
        refusal = fault.refusal if fault is not None else None
        if refusal is not None and fault is not None and not fault.afterwards:
            raise refusal
        if fault is not None and fault.spoils is not None:
            _spoil(self.world, call, fault.spoils)
        result = await self._effect(call)
        if refusal is not None:
            raise refusal
        return result

    async def _effect(self, call: RecordedCall) -> object:
        world = self.world
        method = catalogue.find(world, call.method)
        if method is None:
            raise RefusedError(404, "Not Found: method not found")
        raw = call.params
        if not world.behaviour.ephemeral and call.method.lower() == "sendmessage":
            raw = {name: value for name, value in raw.items() if name not in EPHEMERAL_PARAMETERS}
        result = method(world, parameters(call.method, raw, strict=world.behaviour.strict))
        return await result if inspect.isawaitable(result) else result

    def _record(self, name: str, params: JSON) -> RecordedCall:
        model = methods().get(name.lower())
        world = self.world
        call = RecordedCall(len(world.journal) + 1, world.clock.now(), model.__api_method__ if model else name, params)
        world.journal.append(call)
        call.chat_id = _number(params.get("chat_id"))
        call.audience = self._audience(call)
        return call

    def _audience(self, call: RecordedCall) -> frozenset[int]:
        query = self.world.queries.get(str(call.params.get("callback_query_id")))
        if call.method == "answerCallbackQuery":
            return frozenset({query.user.id}) if query else frozenset()
        receiver = _receiver(call.params) if self.world.behaviour.ephemeral else None
        if receiver is not None:
            return frozenset({receiver})
        chat = self.world.chats.get(call.chat_id or 0)
        return chat.readers() if chat else frozenset({call.chat_id} if call.chat_id else ())


def _spoil(world: World, call: RecordedCall, how: Spoiling) -> None:
    chat = world.chats.get(call.chat_id or 0)
    message = chat.message(_number(call.params.get("message_id")) or 0) if chat else None
    if message is not None and message.author is world.bot:
        setattr(message, how, True)


async def _raw(request: web.Request) -> tuple[JSON, dict[str, bytes]]:
    """Returns the parameters, and the uploaded files by the names that the parameters use."""
    params: JSON = dict(request.query)
    files: dict[str, bytes] = {}
    if request.content_type == "application/json":
        params |= (await request.json()) if request.can_read_body else {}
    elif request.method == "POST":
        for name, value in (await request.post()).items():
            if isinstance(value, web.FileField):
                files[f"attach://{name}"] = value.file.read()
            else:
                params[name] = value
    spelt = str(params)
    params |= {file.removeprefix("attach://"): file for file in files if file not in spelt}
    return params, files


def _receiver(params: JSON) -> int | None:
    named = str(params.get("ephemeral_message_parameters") or "")
    match = re.search(r'"receiver_user_id":\s*(\d+)', named)
    return int(match[1]) if match else _number(params.get("receiver_user_id"))


def _number(value: object) -> int | None:
    text = str(value)
    return int(text) if text.removeprefix("-").isdigit() else None


def _refused(refusal: RefusedError) -> web.Response:
    return web.json_response(refusal.answer(), status=refusal.status)


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
