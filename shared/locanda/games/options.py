"""How the options of a game are declared: what is said of them, those that many games have, the lengths of a match."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from locanda.games.base import N_


def option(
    title: str,
    description: str,
    labels: Mapping[str, str] | None = None,
    *,
    ge: int | None = None,
    le: int | None = None,
) -> Meta:
    """Return what is said of an option: its name, what it does, and by the JSON of a value what that is called."""
    return Meta(
        title=title, description=description, extra_json_schema={"labels": labels} if labels else None, ge=ge, le=le
    )


Deals = Annotated[int, Meta(ge=1, le=20, title=N_("Deals"))]
"""The option of so many deals to a match; what adds up is the game's."""


def points_to_win(*choices: int) -> Meta:
    """Return what is said of the option `target`: a match ends at so many points (`points.target_reached`)."""
    return option(
        N_("Points to win"),
        N_("The match ends when a side has so many points, and more than the others."),
        {str(each): str(each) for each in choices},
    )


PresetName: TypeAlias = Literal["quick", "classic", "long"]
Presets: TypeAlias = Mapping[PresetName, Mapping[str, int]]
"""For each length of a match the options that make it so, with their values; `PRESETS` of a game's module."""
