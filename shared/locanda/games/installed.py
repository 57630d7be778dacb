"""Finds the games that packages beside Locanda add: each is an entry point of the group `locanda.games`.

A host's package is code that the host trusts: it runs in every service. What is examined here keeps a mistake in one
package from all other games.
"""

import re
import traceback
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import msgspec

from locanda.games.options import choices_of

GROUP = "locanda.games"
INTERFACE = 1
"""The version of the interface between Locanda and games: it grows when packages have to change."""
NAME = re.compile("[a-z][a-z0-9_]{0,23}")
"""A game's name."""
FILES = ("dealing.json", "rules.it.md", "rules.en.md")
"""The files of a game's folder besides Python."""
TYPES = {
    "PLACE": "Its place in the catalogue.",
    "RULES": "The version of its rules: it grows when the same moves could lead to another deal.",
    "DECK": "The name of its pack.",
    "Options": "Its options; a value that is left out is the default.",
    "Move": "A move, or the union of them.",
    "DealState": "The fields of a deal.",
    "Deal": "A deal on the wire.",
    "View": "What one seat, or a spectator, may see of it.",
    "Event": "The union of its events.",
    "LISTED_MOVES": "Which of several equal moves the engine lists.",
    "PILES": "What lies on the table.",
    "REFUSALS": "The refusals of other games that it has too, besides its own.",
}
"""The names that a game's module `types` defines besides `NAME`.

It may have `PRESETS` too; `EXAMPLE`, the options of the examples in the API's document; and `FEWEST_WINS`, whether
points count against the player who has them.
"""
TEXTS = ("LABELS", "deck", "task", "event_text")
"""The names that a game's module `texts` defines; `locanda.texts.games.OwnTexts` describes them."""


class UnfitGameError(Exception):
    """A package's game cannot be played; the message says why."""


@dataclass(frozen=True, slots=True)
class InstalledGame:
    """A game of an installed package."""

    name: str
    package: str
    source: str
    """The distribution and its version."""
    unfit: str = ""
    """Why it is left out; empty if it is played."""


def installed_games(own: Collection[str]) -> Iterator[InstalledGame]:
    """Yield the games of all installed packages, by name; `own` are the names that are taken."""
    taken = set(own)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        source = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
        try:
            _examine(entry, taken)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever a package does on import, the other games are played
            yield InstalledGame(entry.name, entry.value, source, said(error, entry.value))
            continue
        taken.add(entry.name)
        yield InstalledGame(entry.name, entry.value, source)


def said(error: BaseException, package: str) -> str:
    """Return an error in one line; of any but our own with its type and its last place in the package."""
    text = " ".join(str(error).split())
    if isinstance(error, UnfitGameError):
        return text
    folder = f"/{package.replace('.', '/')}/"
    steps = [(step.filename.rpartition(folder), step.lineno) for step in traceback.extract_tb(error.__traceback__)]
    places = [f" ({package}/{file}:{line})" for (_, within, file), line in steps if within]
    return f"{type(error).__name__}: {text}{''.join(places[-1:])}"


def _examine(entry: EntryPoint, taken: Collection[str]) -> None:
    """Raise what keeps a game from being played."""
    _demand(bool(NAME.fullmatch(entry.name)), f"{entry.name!r} is no name for a game: a-z, 0-9 and _")
    _demand(entry.name not in taken, f"there is another game of the name {entry.name}")
    package = import_module(entry.value)
    interface = getattr(package, "INTERFACE", None)
    wanted = f"it is written for version {interface} of the interface for games, this is version {INTERFACE}"
    _demand(interface == INTERFACE, wanted)
    folder = Path(next(iter(package.__path__)))
    for file in FILES:
        _demand((folder / file).is_file(), f"it has no file {file}")
        if file.endswith(".md"):
            _examine_rules(folder / file)
    for part in ("types", "texts"):
        _demand(find_spec(f"{entry.value}.{part}") is not None, f"it has no module {part}")
    types = import_module(f"{entry.value}.types")
    missing = ", ".join(name for name in TYPES if not hasattr(types, name))
    _demand(not missing, f"its module types has no {missing}")
    _demand(getattr(types, "NAME", None) == entry.name, f"its types name another game than {entry.name}")
    _examine_tags(types, entry.name)
    _examine_options(types.Options)


def _examine_tags(types: ModuleType, name: str) -> None:
    """Raise `UnfitGameError` unless deal and view name their game in `game`, to be distinguished from others."""
    for kind in ("Deal", "View"):
        config = getattr(types, kind).__struct_config__
        _demand((config.tag_field, config.tag) == ("game", name), f"its {kind} needs tag_field='game' and tag={name!r}")


def _examine_rules(file: Path) -> None:
    """Raise `UnfitGameError` unless the rules for people begin with what the catalogue shows."""
    heading, *paragraphs = file.read_text("utf-8").split("\n\n")
    complete = heading.startswith("# ") and any(text.strip() and not text.startswith("#") for text in paragraphs)
    _demand(complete, f"its {file.name} needs a heading with its name, an empty line, and a paragraph")


def _examine_options(options: type[msgspec.Struct]) -> None:
    """Raise `UnfitGameError` unless each option has the texts that clients show."""
    _, components = msgspec.json.schema_components([options])
    for name, described in components[options.__name__]["properties"].items():
        for text in ("title", "description"):
            _demand(text in described, f"its option {name} has no {text}")
        labels = set(described.get("labels", ()))
        _demand(not labels or labels == {*choices_of(described)}, f"its option {name} has labels of other values")


def _demand(good: object, why: str) -> None:
    if not good:
        raise UnfitGameError(why)
