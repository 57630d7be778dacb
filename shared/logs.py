"""Structured logs: one line an event, as JSON or for people to read; libraries' own lines look the same."""

import asyncio
import io
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from typing import Literal, TextIO, TypeAlias, cast

import msgspec
import structlog
from msgspec import Struct
from structlog.typing import EventDict, Processor, WrappedLogger

Level: TypeAlias = Literal["debug", "info", "warning", "error"]
Format: TypeAlias = Literal["console", "json"]

TALKATIVE = ("httpx", "httpcore", "telegram", "aiohttp.access", "asyncio")
"""Libraries that log every request, some with the URL and the bot's token in it, or with a hand."""


_lines: TextIO | None = None
"""Where the lines of requests go as they are; none where they take the way of all others."""
_encoder = msgspec.json.Encoder(enc_hook=repr)

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request or update that is being served: every line that is logged meanwhile bears it."""


def configure(level: Level, format: Format) -> None:  # noqa: A002  (the setting's own name)
    """Send all logs to standard error, from this level on."""
    global _lines  # noqa: PLW0603 - as structlog's own settings are the process's, and `logging`'s
    file = cast("TextIO", Gathering(sys.stderr))
    _lines = file if format == "json" and level in ("debug", "info") else None
    _configure_libraries(level, format, file)
    # Ours do not pass through `logging`: a line a request is written many times faster without it.
    structlog.configure(
        processors=[_described, *_renderers(format)],
        logger_factory=partial(_Logger, file),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )


class _Served(Struct):
    """The line of a request that was served."""

    request_id: str | None
    method: str
    route: str
    status: int
    ms: float
    timestamp: datetime
    logger: str
    level: Level = "info"
    event: str = "request"


def served(logger: str, method: str, route: str, status: int, seconds: float) -> None:
    """Log a request that was served: as any event, but where lines are JSON in a fifth of the time.

    There is no line of which there are more.
    """
    ms = round(seconds * 1000, 1)
    if _lines is None:
        structlog.stdlib.get_logger(logger).info("request", method=method, route=route, status=status, ms=ms)
        return
    line = _Served(request_id.get(), method, route, status, ms, datetime.now(UTC), logger)
    _lines.write(_encoder.encode(line).decode() + "\n")


class Gathering(io.TextIOBase):
    """A file to which the lines of one turn of the event loop go in one write, at its end."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._gathered: list[str] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def write(self, text: str) -> int:
        """Take a text; it is written before anything waits for the network or for time."""
        self._gathered.append(text)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._write()
            return len(text)
        if len(self._gathered) == 1 or loop is not self._loop:
            self._loop = loop
            loop.call_soon(self._write)
        return len(text)

    def _write(self) -> None:
        gathered, self._gathered = self._gathered, []
        self._file.write("".join(gathered))
        self._file.flush()


class _Logger(structlog.WriteLogger):
    """Writes lines, and has a name for them to tell."""

    def __init__(self, file: TextIO, name: str) -> None:
        super().__init__(file)
        self.name = name


def _configure_libraries(level: Level, format_: Format, file: TextIO) -> None:
    handler = logging.StreamHandler(file)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                _described,
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_renderers(format_),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


def _described(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Say where, when, how serious, and for which request.

    Tell of an exception its class and its places, but none of its words: they may hold a card or a token.
    """
    asked = request_id.get()
    if asked is not None:
        event["request_id"] = asked
    event["level"] = method
    event["logger"] = event["_record"].name if "_record" in event else logger.name
    event["timestamp"] = datetime.now(UTC)
    if "exc_info" in event:
        error = _exception(event.pop("exc_info"))
        if error is not None:
            event["error"] = type(error).__name__
            event["at"] = places(error)
    return event


def _renderers(format_: Format) -> list[Processor]:
    """Return what makes a line of an event."""
    if format_ == "json":
        return [_json]
    return [_readable_time, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]


def _json(_logger: WrappedLogger, _method: str, event: EventDict) -> str:
    return _encoder.encode(event).decode()


def _readable_time(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event["timestamp"] = event["timestamp"].isoformat(timespec="microseconds").replace("+00:00", "Z")
    return event


def _exception(info: object) -> BaseException | None:
    if isinstance(info, BaseException):
        return info
    found = info if isinstance(info, tuple) else sys.exc_info() if info else (None,) * 3
    return found[1] if isinstance(found[1], BaseException) else None


def places(error: BaseException, most: int = 8) -> list[str]:
    """Return where an exception came through, the innermost place last."""
    found = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append(f"{code.co_filename}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return found[-most:]
