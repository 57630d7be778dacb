"""Structured logs: one line for each event, as JSON or readable text. Logs of libraries get the same form."""

import asyncio
import io
import logging
import sys
import traceback
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

MOST_FRAMES = 8
"""Maximum number of an exception's stack frames in a line."""
QUIETED_LOGGERS = ("telegram", "aiohttp.access", "asyncio")
"""Libraries that log every request. Some lines would contain the bot's token in a URL, or cards of a hand."""


_lines: TextIO | None = None
"""The file to which request lines are written directly; None if they go through structlog like all other lines."""
_encoder = msgspec.json.Encoder(enc_hook=repr)

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Id of the request or Telegram update being served, which is added to every log line."""


def configure(level: LogLevel, format: Format) -> None:  # noqa: A002  (the setting's own name)
    """Write all logs of at least this level to standard error."""
    global _lines  # noqa: PLW0603 - global like the configuration of `logging`
    file = cast("TextIO", LineBuffer(sys.stderr))
    _lines = file if format == "json" and level in ("debug", "info") else None
    _configure_libraries(level, format, file)
    # Our own lines bypass `logging`, so that the frequent request lines take much less time.
    structlog.configure(
        processors=[_add_context, *_renderers(format)],
        logger_factory=partial(_Logger, file),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )


class _RequestLine(Struct):
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
    """Log a served request. This is the most frequent line; as JSON it takes a fifth of the time of other lines."""
    ms = round(seconds * 1000, 1)
    if _lines is None or level == "debug":
        log = structlog.stdlib.get_logger(logger)
        write = log.debug if level == "debug" else log.info
        write("request", method=method, route=route, status=status, ms=ms)
        return
    line = _RequestLine(request_id.get(), method, route, status, ms, datetime.now(UTC), logger)
    _lines.write(_encoder.encode(line).decode() + "\n")


class LineBuffer(io.TextIOBase):
    """A file that collects the lines of one iteration of the event loop, and writes them together at the end."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._buffered: list[str] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def write(self, text: str) -> int:
        """Buffer a text. It is written before any task waits for the network or a timer."""
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
    """Writes log lines, with the logger's name as a field."""

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
    """Add the logger's name, time, level and request id to a log event.

    For an exception, adds its class and stack, but not its message, which may contain a card or a token.
    """
    current = request_id.get()
    if current is not None:  # a line that names another request keeps that request's id
        event.setdefault("request_id", current)
    event["level"] = method
    event["logger"] = event["_record"].name if "_record" in event else logger.name
    event["timestamp"] = datetime.now(UTC)
    if "exc_info" in event:
        error = _exception(event.pop("exc_info"))
        if error is not None:
            event["error"] = type(error).__name__
            event["at"] = stack_frames(error)
    return event


def _renderers(format_: Format) -> list[Processor]:
    """Return the processors that render an event as a line."""
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


def stack_frames(error: BaseException) -> list[str]:
    """Return the innermost frames of an exception's traceback as file, line and function, innermost last."""
    calls = traceback.walk_tb(error.__traceback__)
    frames = [f"{frame.f_code.co_filename}:{line} {frame.f_code.co_name}" for frame, line in calls]
    return frames[-MOST_FRAMES:]
