"""SVG path data: parsing, and compact writing."""

import re
from collections.abc import Iterator
from math import hypot

TOKEN = re.compile(r"[MLHVCSQTAZmlhvcsqtaz]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
FLAG = re.compile("[01]")
ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
FLAGS = (3, 4)
"""Indexes of an arc's two flags among its arguments. No space is needed after them."""

Segment = tuple[str, tuple[float, ...]]
"""A command in capitals and its arguments, in absolute coordinates."""


def number(value: float, digits: int = 1) -> str:
    """Return a number with at most `digits` decimals, as short as SVG allows."""
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    text = re.sub(r"^(-?)0\.", r"\1.", text)
    return "0" if text in {"-0", "", "-"} else text


def parse(data: str) -> list[Segment]:
    """Return the segments of path data, each with its command spelt out and in absolute coordinates."""
    segments: list[Segment] = []
    x = y = start_x = start_y = 0.0
    for command, arguments in _commands(data):
        upper = command.upper()
        absolute = _absolute(upper, arguments, (x, y)) if command.islower() else arguments
        segments.append((upper, absolute))
        if upper == "Z":
            x, y = start_x, start_y
        else:
            x = absolute[-2 if upper not in "HV" else -1] if upper != "V" else x
            y = absolute[-1] if upper != "H" else y
        if upper == "M":
            start_x, start_y = x, y
    return segments


def _commands(data: str) -> Iterator[Segment]:
    """Yield each command with its arguments; numbers that follow a complete command repeat it."""
    place, command = 0, ""
    while match := TOKEN.search(data, place):
        if match[0].isalpha():
            command, place = match[0], match.end()
        elif command in "Mm":
            command = "L" if command == "M" else "l"
        arguments = []
        for index in range(ARITY[command.upper()]):
            found = FLAG.search(data, place) if command in "Aa" and index in FLAGS else TOKEN.search(data, place)
            if found is None:
                raise ValueError(f"{command} lacks arguments: {data}")
            arguments.append(float(found[0]))
            place = found.end()
        yield command, tuple(arguments)


def _absolute(command: str, arguments: tuple[float, ...], at: tuple[float, float]) -> tuple[float, ...]:
    if command == "H":
        return (arguments[0] + at[0],)
    if command == "V":
        return (arguments[0] + at[1],)
    if command == "A":
        return (*arguments[:5], arguments[5] + at[0], arguments[6] + at[1])
    return tuple(value + at[index % 2] for index, value in enumerate(arguments))


def scaled(data: str, factor: float) -> str:
    """Return path data multiplied by a factor, at full precision."""
    return stretched(data, factor, factor)


def stretched(data: str, across: float, down: float, dx: float = 0) -> str:
    """Return path data multiplied by a factor in each direction and then moved to the right, at full precision."""
    parts = []
    for command, arguments in parse(data):
        if command == "A":
            rx, ry, turn, large, sweep, x, y = arguments
            values: tuple[float, ...] = (rx * across, ry * down, turn, large, sweep, x * across + dx, y * down)
        elif command == "V":
            values = (arguments[0] * down,)
        else:
            values = tuple(v * down if index % 2 else v * across + dx for index, v in enumerate(arguments))
        parts.append(command + " ".join(f"{value:.9g}" for value in values))
    return "".join(parts)


def minified(data: str, digits: int = 1) -> str:
    """Return path data with `digits` decimals, relative and without redundant parts.

    Each point is rounded in absolute coordinates, so that errors do not add up.
    """
    writer = _Writer(digits)
    for command, arguments in parse(data):
        writer.write(command, arguments)
    return "".join(writer.parts)


class _Writer:
    """Writes segments as commands relative to the last one's rounded end."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self.parts: list[str] = []
        self.at = self.start = (0.0, 0.0)
        self.last = ""

    def write(self, command: str, arguments: tuple[float, ...]) -> None:
        if command == "Z":
            self._put("z", [])
            self.at = self.start
            return
        end = self._end(command, arguments)
        moved = [end[0] - self.at[0], end[1] - self.at[1]]
        if command == "M":
            self._put("M", list(end))
            self.start = end
        elif command in "LHV":
            self._line(moved)
        elif command == "A":
            if hypot(*moved) > 0:
                self._put("a", [*arguments[:5], *moved])
        else:
            self._put(command.lower(), [self._round(v) - self.at[i % 2] for i, v in enumerate(arguments)])
        self.at = end

    def _end(self, command: str, arguments: tuple[float, ...]) -> tuple[float, float]:
        x = self.at[0] if command == "V" else arguments[0 if command == "H" else -2]
        y = self.at[1] if command == "H" else arguments[-1]
        return self._round(x), self._round(y)

    def _line(self, moved: list[float]) -> None:
        dx, dy = moved
        if abs(dx) < 10**-self.digits / 2 and abs(dy) < 10**-self.digits / 2:
            return
        if abs(dy) < 10**-self.digits / 2:
            self._put("h", [dx])
        elif abs(dx) < 10**-self.digits / 2:
            self._put("v", [dy])
        else:
            self._put("l", moved)

    def _round(self, value: float) -> float:
        return round(value, self.digits)

    def _put(self, command: str, values: list[float]) -> None:
        numbers = [number(value, self.digits) for value in values]
        text = "" if command == self.last and command not in "Mz" else command
        before = text
        for index, spelt in enumerate(numbers):
            parted = spelt.startswith("-") or before == command or (spelt.startswith(".") and "." in before)
            parted |= command == "a" and index - 1 in FLAGS
            text += spelt if parted else " " + spelt
            before = spelt
        self.parts.append(text)
        self.last = command
