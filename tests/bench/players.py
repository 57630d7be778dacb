"""Measure the computer players against one another and write docs/players.md: `make bench-players [MINUTES=60]`.

`ONLY='diavoletto hard'` plays only comparisons whose key has all these words; other rows of the page stay as they are.
One process runs on each core. Bouts are saved in var/bench-players.json, so that an interrupted run continues; bouts of
other code are dropped.
"""

import hashlib
import os
import sys
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, field

from locanda.games.rules import GAMES
from tests.bench.arena import Tally, compare, interval
from tests.bench.player_comparisons import CLAIM, COMPARISONS, Comparison

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "players.md"
RESULTS = ROOT / "var" / "bench-players.json"
MARKS = ("<!-- measured -->", "<!-- end -->")
HELD_OUT = 7_000_000
"""The seed of the first deal: no player was tuned on deals from here on."""
CHUNK_SECONDS = 20.0
"""The approximate time that one process plays before its results are saved."""


class Played(Struct):
    """The bouts of one comparison so far."""

    code: str
    """The digest of the code that played these bouts."""
    tally: Tally = field(default_factory=Tally)


def digest(game: str) -> str:
    """Return the digest of all code and weights that decide the play of a game."""
    games = ROOT / "shared" / "locanda" / "games"
    hashed = hashlib.sha256()
    for path in sorted([*games.glob("*.py"), *(games / game).rglob("*.py"), *(games / game).rglob("*.json")]):
        hashed.update(path.read_bytes())
    return hashed.hexdigest()[:16]


def load() -> dict[str, Played]:
    """Return the saved bouts of the current code."""
    stored = msgspec.json.decode(RESULTS.read_bytes(), type=dict[str, Played]) if RESULTS.exists() else {}
    codes = {name: digest(name) for name in GAMES}
    return {
        comparison.key: stored[comparison.key]
        if comparison.key in stored and stored[comparison.key].code == codes[comparison.game]
        else Played(codes[comparison.game])
        for comparison in COMPARISONS
    }


def save(played: dict[str, Played]) -> None:
    """Store the bouts, and write the page."""
    RESULTS.parent.mkdir(exist_ok=True)
    written = RESULTS.with_suffix(".new")
    written.write_bytes(msgspec.json.encode(played))
    written.replace(RESULTS)
    head, _, rest = PAGE.read_text().partition(MARKS[0])
    before, _, tail = rest.partition(MARKS[1])
    PAGE.write_text(f"{head}{MARKS[0]}\n{measured(played, rows(before))}\n{MARKS[1]}{tail}")


def play_chunk(comparison: Comparison, start: int, bouts: int) -> Tally:
    """Play some bouts of a comparison in this process."""
    return compare(
        comparison.game,
        comparison.first,
        comparison.second,
        bouts,
        seats=comparison.seats,
        options=comparison.options,
        base=HELD_OUT + start,
    )


def run(minutes: float, only: Collection[str] = ()) -> None:
    """Play until each selected comparison has its bouts, or the time is up. Their keys contain all these words."""
    wanted = [
        chosen_comparison for chosen_comparison in COMPARISONS if all(word in chosen_comparison.key for word in only)
    ]
    played, end = load(), monotonic() + minutes * 60
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers) as pool:
        running: dict[Future[Tally], Comparison] = {}
        while monotonic() < end:
            for comparison in _most_wanted(wanted, played, running.values(), workers - len(running)):
                start = len(played[comparison.key].tally.shares)
                bouts = _chunk(played[comparison.key].tally, comparison.bouts - start)
                running[pool.submit(play_chunk, comparison, start, bouts)] = comparison
            if not running:
                break
            done, _ = wait(running, timeout=max(0.0, end - monotonic()), return_when=FIRST_COMPLETED)
            for future in done:
                comparison = running.pop(future)
                played[comparison.key].tally.add(future.result())
                save(played)
                print(f"{comparison.key}: {_line(comparison, played[comparison.key].tally)}", flush=True)
        for future in running:
            future.cancel()


def _most_wanted(
    wanted: Collection[Comparison], played: dict[str, Played], running: Collection[Comparison], most: int
) -> list[Comparison]:
    """Return the next comparisons: claims first, then those with the smallest share of their bouts."""
    open_ = [
        comparison
        for comparison in wanted
        if comparison not in running and len(played[comparison.key].tally.shares) < comparison.bouts
    ]
    return sorted(
        open_,
        key=lambda comparison: (comparison.bouts < CLAIM, len(played[comparison.key].tally.shares) / comparison.bouts),
    )[:most]


def _chunk(so_far: Tally, left: int) -> int:
    """Return the number of bouts to play in one chunk."""
    if not so_far.shares:
        return min(left, 2)
    per_bout = so_far.seconds / len(so_far.shares)
    return max(1, min(left, int(CHUNK_SECONDS / max(per_bout, 1e-6))))


# --- the page


Label: TypeAlias = tuple[str, str]
"""The game of a row, and the row's first cells, which name the comparison."""


def rows(tables: str) -> dict[Label, str]:
    """Return the rows of earlier tables by label."""
    rows_by_label, game = dict[Label, str](), ""
    for line in tables.splitlines():
        if line.startswith("### "):
            game = line.removeprefix("### ")
        elif line.startswith("|"):
            rows_by_label[game, "|".join(line.split("|")[:5])] = line
    return rows_by_label


def measured(played: dict[str, Played], before: dict[Label, str]) -> str:
    """Return the tables of the page. Rows that were not measured again keep their earlier text."""
    hours = sum(record.tally.seconds for record in played.values()) / 3600
    deals = sum(record.tally.deals for record in played.values())
    lines = [f"Last run on {datetime.now(UTC):%Y-%m-%d}: {deals:,} deals, {hours:.1f} hours of processor time."]
    for game in GAMES:
        lines += ["", f"### {game}", "", *_table(game, played, before)]
    return "\n".join(lines)


def _table(game: str, played: dict[str, Played], before: dict[Label, str]) -> Iterator[str]:
    yield "| players | options | one | others | matches won | deals won | points a deal | bouts |"
    yield "| ---: | --- | --- | --- | ---: | ---: | ---: | ---: |"
    for comparison in COMPARISONS:
        if comparison.game == game:
            if played[comparison.key].tally.shares:
                yield _line(comparison, played[comparison.key].tally)
            elif (game, _head(comparison)) in before:
                yield before[game, _head(comparison)]


def _head(comparison: Comparison) -> str:
    options = " ".join(f"{name}={_value(value)}" for name, value in comparison.options.items()) or "–"
    return f"| {comparison.seats} | {options} | {comparison.first} | {comparison.second} "


def _line(comparison: Comparison, tally: Tally) -> str:
    share, won, points = interval(tally.shares), interval(tally.won), interval(tally.points)
    deals = "=" if tally.deals == len(tally.shares) * comparison.seats else f"{won[0]:.3f} ± {won[1]:.3f}"
    return (
        f"{_head(comparison)}| {share[0]:.3f} ± {share[1]:.3f} | {deals} "
        f"| {points[0]:+.2f} ± {points[1]:.2f} | {len(tally.shares):,} |"
    )


def _value(value: Any) -> str:
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    run(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0, sys.argv[2:])
