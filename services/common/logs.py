"""Structured logs: one line for each event, as JSON or for people to read; libraries' logs have the same form."""

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

LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
Format: TypeAlias = Literal["console", "json"]

QUIETED_LOGGERS = ("telegram", "aiohttp.access", "asyncio")
"""Libraries that log every request, some with the URL and the bot's token in it, or with a hand."""


_lines: TextIO | None = None
"""The file for the lines of requests, written directly; None if they pass through structlog like all others."""
_encoder = msgspec.json.Encoder(enc_hook=repr)

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request or update that is being served: every line that is logged meanwhile has it."""


def configure(level: LogLevel, format: Format) -> None:  # noqa: A002  (the setting's own name)
    """Write all logs from this level on to standard error."""
    global _lines  # noqa: PLW0603 - global as the configurations of structlog and `logging` are
    file = cast("TextIO", LineBuffer(sys.stderr))
    _lines = file if format == "json" and level in ("debug", "info") else None
    _configure_libraries(level, format, file)
    # Our lines bypass `logging`: without it, the line of each request is written many times faster.
    structlog.configure(
        processors=[_add_context, *_renderers(format)],
        logger_factory=partial(_Logger, file),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )


class _RequestLine(Struct):
    """The fields of the line of a served request."""

    request_id: str | None
    method: str
    route: str
    status: int
    ms: float
    timestamp: datetime
    logger: str
    level: LogLevel = "info"
    event: str = "request"


def log_request(
    logger: str, method: str, route: str, status: int, seconds: float, level: Literal["debug", "info"] = "info"
) -> None:
    """Log a served request: the most frequent line; as JSON, in a fifth of the time of other events."""
    ms = round(seconds * 1000, 1)
    if _lines is None or level == "debug":
        log = structlog.stdlib.get_logger(logger)
        write = log.debug if level == "debug" else log.info
        write("request", method=method, route=route, status=status, ms=ms)
        return
    line = _RequestLine(request_id.get(), method, route, status, ms, datetime.now(UTC), logger)
    _lines.write(_encoder.encode(line).decode() + "\n")


class LineBuffer(io.TextIOBase):
    """A file that writes the lines of one turn of the event loop together, at the end of the turn."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._buffered: list[str] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def write(self, text: str) -> int:
        """Buffer a text. It is written before any task waits for the network or for time."""
        self._buffered.append(text)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._write()
            return len(text)
        if len(self._buffered) == 1 or loop is not self._loop:
            self._loop = loop
            loop.call_soon(self._write)
        return len(text)

    def _write(self) -> None:
        buffered, self._buffered = self._buffered, []
        self._file.write("".join(buffered))
        self._file.flush()


class _Logger(structlog.WriteLogger):
    """Writes lines; its name is a field of each."""

    def __init__(self, file: TextIO, name: str) -> None:
        super().__init__(file)
        self.name = name


def _configure_libraries(level: LogLevel, format_: Format, file: TextIO) -> None:
    handler = logging.StreamHandler(file)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                _add_context,
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_renderers(format_),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in QUIETED_LOGGERS:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


def _add_context(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Add logger, time, level and the id of the request.

    Of an exception, add the class and the places it came through, but not the message: it may hold a card or a token.
    """
    current = request_id.get()
    if current is not None:  # a line about another request than the one that is being served names it itself
        event.setdefault("request_id", current)
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
    """Return the processors that turn an event into a line."""
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
    error_info = info if isinstance(info, tuple) else sys.exc_info() if info else (None,) * 3
    return error_info[1] if isinstance(error_info[1], BaseException) else None


def places(error: BaseException) -> list[str]:
    """Return the last eight places that an exception came through, the innermost last."""
    lines = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        lines.append(f"{code.co_filename}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return lines[-8:]
