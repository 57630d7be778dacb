"""The budget of the browser's table: bytes, first card, tap to card, frames, memory.

`python -m tests.bench.page` starts a Redis, an engine with its page and a Chromium, prints the figures and writes them
to docs/benchmarks.md. `python -m tests.bench.page far` prints only the figures of a slow phone far away, and `… frames`
only those of animations. All processes share the machine's cores.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import linear_regression, median, quantiles

from locanda.client import EngineClient
from tests.bench.page_far_away import KILOBITS, LATENCY, Visit, far_away
from tests.bench.page_far_away import THROTTLED as SLOWER
from tests.bench.page_loading import VISITS, first_cards, weights
from tests.bench.page_playing import CROWD, PACE, THROTTLED, crowd, frames, frames_of_builds, memory, taps
from tests.bench.report import write_into_page
from tests.bench.servers import SERVER, serve
from tests.bench.service import OPEN_TO_ALL
from tests.redis_server import running_redis
from tests.web.visitors import Browser, launched

WEB = Path(__file__).parents[2] / "services" / "web"
MARKS = ("<!-- page -->", "<!-- end of page -->")
SETTLED = 100
"""The number of deals after which a page's history is full (two hundred sentences)."""
SMOOTH = 20
"""The longest gap between frames in a smooth animation, in milliseconds: 60 frames per second with some tolerance."""


@asynccontextmanager
async def visited() -> AsyncIterator[tuple[Browser, EngineClient]]:
    """Start an engine with its page, and a browser, within the context."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = stack.enter_context(running_redis(folder, "--appendonly", "no"))
        settings = OPEN_TO_ALL | {"REDIS_URL": redis.url, "ENGINE_WEB": str(WEB), "LOG_LEVEL": "warning"}
        engine = await serve(stack, "services.engine", core=SERVER, **settings)
        client = await stack.enter_async_context(EngineClient.connect(engine.url))
        yield await stack.enter_async_context(launched(f"{engine.url}/")), client


async def measure() -> str:
    """Return all figures as Markdown."""
    async with visited() as (browser, client):
        weighed = await weights(browser, client)
        seen = await first_cards(browser, client)
        far = await far_away(browser, client)
        alone = await taps(browser, client)
        async with crowd(client):
            among = await taps(browser, client)
        moving, building = await frames(browser, client), await frames_of_builds(browser, client)
        kept = await memory(browser, client)
    load = f"{os.getloadavg()[1]:.1f}"
    when = (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, {load} processes busy on them at the end."
    )
    parts = _weights(weighed), _times(seen, alone, among), _far(far), _frames(moving, building), _memory(kept)
    return "\n\n".join((when, *parts))


async def measure_far_away() -> str:
    """Return the figures of a slow phone with a slow connection, as Markdown."""
    async with visited() as (browser, client):
        return _far(await far_away(browser, client))


def _weights(loads: dict[str, tuple[int, int]]) -> str:
    rows = [f"| {name} | {size / 1000:.1f} | {files} |" for name, (size, files) in loads.items()]
    return "\n".join(("| page load with no cache | KB, by brotli | files |", "| --- | ---: | ---: |", *rows))


def _times(seen: list[float], alone: list[float], among: list[float]) -> str:
    rows = [
        f"| {name} | {len(times)} | {_middle(times):.0f} | {_late(times):.0f} |"
        for name, times in (
            (f"first card, no cache ({VISITS} visits)", seen),
            ("tap to card on the table", alone),
            (f"the same with {CROWD} tables going on, a move in {PACE:.0f} s each", among),
        )
    ]
    return "\n".join(("| milliseconds | of | p50 | p99 |", "| --- | ---: | ---: | ---: |", *rows))


def _far(visits_by_name: dict[str, list[Visit]]) -> str:
    seconds = {name: median(visit.milliseconds for visit in visits) / 1000 for name, visits in visits_by_name.items()}
    size = {name: median(visit.kilobytes for visit in visits) for name, visits in visits_by_name.items()}
    rows = [f"| {name} | {seconds[name]:.1f} | {size[name]:.0f} |" for name in visits_by_name]
    head = f"| at {KILOBITS} kb/s, {LATENCY} ms, a processor {SLOWER} times slower | seconds | KB with headers |"
    return "\n".join((head, "| --- | ---: | ---: |", *rows))


def _frames(moving: list[float], building: list[float]) -> str:
    rows = [
        f"| {name} | {1000 * len(gaps) / sum(gaps):.0f} | {len(gaps)} | {_middle(gaps):.1f} | {_late(gaps):.1f} | "
        f"{sum(gap <= SMOOTH for gap in gaps) / len(gaps):.0%} |"
        for name, gaps in (("cards that are played", moving), ("a completed build of 13 cards", building))
    ]
    what = f"| what flies, on a processor {THROTTLED} times slower | frames a second "
    head = f"{what}| gaps | ms, p50 | p99 | within {SMOOTH} |"
    return "\n".join((head, "| --- | ---: | ---: | ---: | ---: | ---: |", *rows))


async def measure_frames() -> str:
    """Return the figures of animations, as Markdown."""
    async with visited() as (browser, client):
        return _frames(await frames(browser, client), await frames_of_builds(browser, client))


def _memory(kept: list[tuple[int, float, int]]) -> str:
    later = [sample for sample in kept if sample[0] >= SETTLED] or kept
    deals, heaps, nodes = zip(*later, strict=True)
    growth = [linear_regression([*map(float, deals)], [*map(float, values)]).slope for values in (heaps, nodes)]
    return (
        f"One page followed {deals[-1]} deals. After {deals[0]} of them it held {heaps[0]:,.0f} KiB of JavaScript "
        f"objects and {nodes[0]:,} nodes, at the end {heaps[-1]:,.0f} KiB and {nodes[-1]:,} nodes: "
        f"{growth[0]:+.2f} KiB and {growth[1]:+.2f} nodes a deal, after garbage collection."
    )


def _middle(times: list[float]) -> float:
    return quantiles(times, n=100, method="inclusive")[49]


def _late(times: list[float]) -> float:
    return quantiles(times, n=100, method="inclusive")[98]


if __name__ == "__main__":
    if part := {"far": measure_far_away, "frames": measure_frames}.get("".join(sys.argv[1:])):
        print(asyncio.run(part()))
    else:
        figures = asyncio.run(measure())
        print(figures)
        write_into_page(figures, MARKS)
