"""Finds the games of other installed packages, which register entry points in the group `locanda.games`.

Such a package is trusted code: it runs in every service. The checks in this module only keep a mistake in one package
from affecting other games.
"""

import inspect
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

from locanda.games.options import PRESETS, choices_of

GROUP = "locanda.games"
INTERFACE = 1
"""Version of the interface between Locanda and games; it increases when packages have to change."""
NAME = re.compile("[a-z][a-z0-9_]{0,23}")
"""Pattern of game names."""
FILES = ("dealing.json", "rules.it.md", "rules.en.md")
"""Files that a game's folder must contain in addition to Python modules."""
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
    "PRESETS": "Its options for a quick, a classic and a long match.",
    "REFUSALS": "The refusals of other games that it has too, besides its own.",
}
"""Names that a game's module `types` must define in addition to `NAME`, with their meaning.

The module may also define `EXAMPLE` (the options of the examples in the OpenAPI document) and `FEWEST_WINS`
(whether the fewest points win).
"""
TEXTS = ("LABELS", "deck", "task", "event_text")
"""Names that a game's module `texts` must define; see `locanda.texts.games.OwnTexts`."""


class UnfitGameError(Exception):
    """The game of a package cannot be played; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class InstalledGame:
    """A game of another installed package."""

    name: str
    package: str
    source: str
    """Distribution and version, such as `scopa 1.0`."""
    unfit: str = ""
    """Why the game is not playable; empty if it is."""


def installed_games(own: Collection[str]) -> Iterator[InstalledGame]:
    """Yield the games of other packages by name. Names in `own` are already taken."""
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
    """Describe an error in one line; for unexpected errors, with the type and the last line that ran in the package."""
    text = " ".join(str(error).split())
    if isinstance(error, UnfitGameError):
        return text
    folder = f"/{package.replace('.', '/')}/"
    steps = [(step.filename.rpartition(folder), step.lineno) for step in traceback.extract_tb(error.__traceback__)]
    places = [f" ({package}/{file}:{line})" for (_, within, file), line in steps if within]
    return f"{type(error).__name__}: {text}{''.join(places[-1:])}"


def _examine(entry: EntryPoint, taken: Collection[str]) -> None:
    """Raise `UnfitGameError`, or an error of the import, if a game is not playable."""
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
    _examine_presets(types)
    _examine_wire(types)
    _examine_piles(types)


def _examine_tags(types: ModuleType, name: str) -> None:
    """Raise `UnfitGameError` unless deal and view have the game's name as their tag `game`."""
    for kind in ("Deal", "View"):
        config = getattr(types, kind).__struct_config__
        _demand((config.tag_field, config.tag) == ("game", name), f"its {kind} needs tag_field='game' and tag={name!r}")


def _examine_rules(file: Path) -> None:
    """Raise `UnfitGameError` unless the rules for people have a heading and a paragraph, for the catalogue."""
    heading, *paragraphs = file.read_text("utf-8").split("\n\n")
    complete = heading.startswith("# ") and any(text.strip() and not text.startswith("#") for text in paragraphs)
    _demand(complete, f"its {file.name} needs a heading with its name, an empty line, and a paragraph")


def _examine_options(options: type[msgspec.Struct]) -> None:
    """Raise `UnfitGameError` unless each option has a title, a description and matching labels."""
    _, components = msgspec.json.schema_components([options])
    for name, described in components[options.__name__]["properties"].items():
        for text in ("title", "description"):
            _demand(text in described, f"its option {name} has no {text}")
        labels, choices = set(described.get("labels", ())), choices_of(described)
        _demand(not labels or labels == {*choices}, f"its option {name} has labels of other values")
        bounded = {"minimum", "maximum"} <= described.keys()
        _demand(choices or bounded, f"its option {name} is no switch, choice, or number with bounds")


def _examine_presets(types: ModuleType) -> None:
    """Raise an error if the options of a preset (a match length that people can choose) are invalid."""
    for preset in PRESETS:
        msgspec.convert(types.PRESETS[preset], types.Options)


def _examine_wire(types: ModuleType) -> None:
    """Raise an error if the API cannot decode and describe the game's types."""
    wire = [types.Options, types.Move, types.Deal, types.View, types.Event]
    msgspec.json.schema_components(wire)
    for type_ in wire:
        msgspec.json.Decoder(type_)
    inspect.getsource(types)
    _demand(isinstance(getattr(types, "EXAMPLE", types.Options()), types.Options), "its EXAMPLE is no Options")


def _examine_piles(types: ModuleType) -> None:
    """Raise `UnfitGameError` unless the view has the field of each pile."""
    for pile in types.PILES:
        visible = pile.field in types.View.__struct_fields__
        _demand(visible, f"its View has no {pile.field}, which its pile {pile.name} shows")


def _demand(good: object, why: str) -> None:
    if not good:
        raise UnfitGameError(why)
