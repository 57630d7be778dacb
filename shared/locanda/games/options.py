"""Helpers to declare a game's options: their texts, shared options, and presets for the length of a match."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeAlias, get_args

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
    """Declare an option's texts: its name, its effect, and labels for its values, by the value as JSON text."""
    return Meta(
        title=title, description=description, extra_json_schema={"labels": labels} if labels else None, ge=ge, le=le
    )


def choices_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a boolean or enumerated option by the keys of their labels, from its JSON schema."""
    return {json.encode(value).decode().strip('"'): value for value in _values(schema)}


def _values(schema: Mapping[str, Any]) -> Iterable[Any]:
    simple: dict[str, list[Any]] = {"null": [None], "boolean": [True, False]}
    if schema.get("type") in simple:
        return simple[schema["type"]]
    return schema.get("enum") or [value for branch in schema.get("anyOf", ()) for value in _values(branch)]


Deals = Annotated[int, Meta(ge=1, le=20, title=N_("Deals"))]
"""Option for the number of deals in a match; each game defines how the points of the deals add up."""


def points_to_win(*choices: int) -> Meta:
    """Return the texts of the option `target`, the number of points that ends a match (see `points.target_reached`)."""
    return option(
        N_("Points to win"),
        N_("The match ends when a side has so many points, and more than the others."),
        {str(points): str(points) for points in choices},
    )


PresetName: TypeAlias = Literal["quick", "classic", "long"]
PRESETS: tuple[PresetName, ...] = get_args(PresetName)
Presets: TypeAlias = Mapping[PresetName, Mapping[str, int]]
"""Options and values for each length of a match: `PRESETS` in a game's `types`."""
