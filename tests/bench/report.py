"""The measured figures, as a page of the docs."""

import os
from datetime import UTC, datetime
from pathlib import Path
from string import Template
from textwrap import fill

from msgspec import Struct, field

from tests.bench.redis_memory import Cost

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
MARKS = ("<!-- measured -->", "<!-- end -->")
MILLION = 1_000_000
WIDTH = 120


class Rate(Struct, frozen=True, order=True):
    """The figures of a server under a load."""

    rate: float
    """Responses per second."""
    used: float
    """Microseconds of the server's core for each response."""
    p50: float
    """Milliseconds."""
    p99: float


class Neighbours(Struct, frozen=True):
    """The cost of a move in microseconds of the engine's core, at a steady rate."""

    rate: float
    alone: float
    beside: float
    """The cost while another engine accepts moves at the same rate, on the same Redis."""


class Fanout(Struct, frozen=True):
    """The delay until a table's listeners receive a move, in milliseconds after it was sent."""

    listeners: int
    middle: float
    """The delay of the median listener, at the median move."""
    last: float
    """The delay of the last listener, at the median move."""
    worst: float
    """The delay of the last listener, at the slowest move."""
    used: float
    """Microseconds of the server's core for each listener and move."""


class BenchReport(Struct):
    """All measurements. If there were several rounds, the best one counts."""

    limit_moves: list[Rate] = field(default_factory=list)
    moves: list[Rate] = field(default_factory=list)
    limit_looks: list[Rate] = field(default_factory=list)
    looks: list[Rate] = field(default_factory=list)
    fresh_looks: Rate | None = None
    """Reads of more hands than an engine can cache."""
    half_load: list[Rate] = field(default_factory=list)
    durable: Rate | None = None
    silent: Rate | None = None
    limit_followed: list[Rate] = field(default_factory=list)
    followed: dict[str, list[Rate]] = field(default_factory=dict)
    """Rates of each game, one for each round."""
    ways: dict[str, Rate] = field(default_factory=dict)
    fanout: Fanout | None = None
    neighbours: Neighbours | None = None
    costs: list[Cost] = field(default_factory=list)


def publish(report: BenchReport) -> None:
    """Print the figures, and write them into the page between their marks."""
    text = as_markdown(report)
    print(text)
    write_into_page(text, MARKS)


def write_into_page(text: str, marks: tuple[str, str]) -> None:
    """Replace the text between two marks of the page, wrapped like the page."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(marks[0])
    after = rest.split(marks[1])[1]
    lines = (line if line.startswith("|") else fill(line, WIDTH, break_on_hyphens=False) for line in text.splitlines())
    wrapped = "\n".join(lines)
    PAGE.write_text(f"{before}{marks[0]}\n{wrapped}\n{marks[1]}{after}", encoding="utf-8")


def as_markdown(report: BenchReport) -> str:
    """Return the figures as Markdown."""
    return "\n\n".join((_rates(report), _ways(report), _fanout(report), _neighbours(report), _costs(report)))


def _rates(report: BenchReport) -> str:
    limit, looked, followed = max(report.limit_moves), max(report.limit_looks), max(report.limit_followed)
    rows = [
        ("(a) the limit: a script and an answer, no game", limit, limit),
        ("(b) moves, validated and committed", max(report.moves), limit),
        ("(b) the same, Redis syncing every write", report.durable, limit),
        ("(b) the same without a log line each (`LOG_LEVEL=warning`)", report.silent, limit),
        ("(b) the same at half load", min(report.half_load, key=lambda rate: rate.p99), limit),
        ("(a) the limit with two streams: each gets the answer too", followed, followed),
        *((f"(b) moves of {game}, two follow", max(rates), followed) for game, rates in report.followed.items()),
        ("the limit of reads: a GET, no game", looked, looked),
        ("(c) reads of an unchanged hand", max(report.looks), looked),
        ("(c) the same for the first time", report.fresh_looks, looked),
    ]
    lines = [
        f"| {name} | {rate.rate:,.0f} | {rate.rate / against.rate:.2f} "
        f"| {rate.used:.0f} | {rate.p50:.1f} | {rate.p99:.1f} |"
        for name, rate, against in rows
        if rate
    ]
    when = f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, best of {len(report.moves)} rounds"
    return "\n".join(
        (
            f"Measured on {when}.",
            "",
            *_table("one server core", "a second", "of its limit", "µs of the core", "p50 ms", "p99 ms"),
            *lines,
        )
    )


def _ways(report: BenchReport) -> str:
    best = max(report.ways.values())
    lines = [
        f"| {name} | {rate.rate:,.0f} | {rate.rate / best.rate:.2f} | {rate.used:.0f} |"
        for name, rate in sorted(report.ways.items(), key=lambda way: -way[1].rate)
    ]
    return "\n".join((*_table("the limit over", "a second", "of the best", "µs of the core"), *lines))


def _fanout(report: BenchReport) -> str:
    if report.fanout is None:
        return ""
    sentence = Template(
        "(d) 1 table with $listeners listeners: the median one gets a move after $middle ms, the last one after "
        "$last ms, at worst $worst ms. Each costs the engine $used µs a move."
    )
    return sentence.substitute(
        listeners=f"{report.fanout.listeners:,}",
        **{name: f"{getattr(report.fanout, name):.0f}" for name in ("middle", "last", "worst", "used")},
    )


def _neighbours(report: BenchReport) -> str:
    if report.neighbours is None:
        return ""
    cost = report.neighbours
    return (
        f"(e) Two engines on one Redis, each with a core and {cost.rate:,.0f} moves a second: a move costs one of them "
        f"{cost.beside:.0f} µs, and {cost.alone:.0f} µs without the other."
    )


def _costs(report: BenchReport) -> str:
    lines = [
        f"| {cost.game}, {cost.seats} | {cost.idle:,} | {cost.snapshot:,} | {cost.playing:,} | {cost.log:.0f} "
        f"| {cost.answer:,} | {cost.over:,} | {_million(cost.idle)} | {_million(cost.playing)} |"
        for cost in report.costs
    ]
    names = ("bytes in Redis", "idle", "snapshot", "playing", "a move's log", "an answer", "over")
    return "\n".join((*_table(*names, "GiB for a million idle", "GiB for a million playing"), *lines))


def _million(size: int) -> str:
    return f"{size * MILLION / 2**30:.1f}"


def _table(*names: str) -> tuple[str, str]:
    return f"| {' | '.join(names)} |", f"| --- |{' ---: |' * (len(names) - 1)}"
