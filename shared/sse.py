"""Server-sent events, as the HTML standard frames them: lines in, events out."""

from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """An event of a stream."""

    id: str
    event: str
    data: str


async def parse(lines: AsyncIterable[bytes]) -> AsyncIterator[ServerSentEvent]:
    """Yield the events of a stream's lines; comments keep the connection awake and are passed over."""
    fields: dict[str, str] = {}
    async for line in lines:
        text = line.decode().rstrip("\r\n")
        if not text:
            if "data" in fields:
                yield ServerSentEvent(fields.get("id", ""), fields.get("event", "message"), fields["data"])
            fields = {}
            continue
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
