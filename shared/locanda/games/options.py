"""Declarations of a game's options: their texts, the options that many games share, and the lengths of a match."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, json

from locanda.games.base import N_


def option(
    title: str,
    description: str,
    labels: Mapping[str, str] | None = None,
    *,
    ge: int | None = None,
    le: int | None = None,
) -> Meta:
    """Return the texts of an option: its name, its effect, and the name of each value by the value's JSON."""
    return Meta(
        title=title, description=description, extra_json_schema={"labels": labels} if labels else None, ge=ge, le=le
    )


def choices_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of an option with labels, by the keys of their labels, from the option's schema."""
    return {json.encode(value).decode().strip('"'): value for value in _values(schema)}


def _values(schema: Mapping[str, Any]) -> Iterable[Any]:
    simple: dict[str, list[Any]] = {"null": [None], "boolean": [True, False]}
    if schema.get("type") in simple:
        return simple[schema["type"]]
    return schema.get("enum") or [value for branch in schema.get("anyOf", ()) for value in _values(branch)]


Deals = Annotated[int, Meta(ge=1, le=20, title=N_("Deals"))]
"""The option for the number of deals in a match; each game decides how they add up."""


def points_to_win(*choices: int) -> Meta:
    """Return the texts of the option `target`, the points at which a match ends (`points.target_reached`)."""
    return option(
        N_("Points to win"),
        N_("The match ends when a side has so many points, and more than the others."),
        {str(points): str(points) for points in choices},
    )


PresetName: TypeAlias = Literal["quick", "classic", "long"]
Presets: TypeAlias = Mapping[PresetName, Mapping[str, int]]
"""The options and values for each length of a match; `PRESETS` of a game's module."""
