"""What a photo shows: rows of cards, or the end of a match. `services.telegram.sending.photos` draws it."""

from typing import TypeAlias

from msgspec import Struct

CardRows: TypeAlias = tuple[tuple[str, ...], ...]
"""Cards, row by row, by their codes; `back` is a card face down."""
FACE_DOWN: CardRows = (("back",),)
"""The photo of a message that has had one and has no cards to show."""


class PodiumPlace(Struct, frozen=True):
    """A line of the end of a match: the place, which those who tie share, the name, and the points in words."""

    place: int
    name: str
    points: str


class Podium(Struct, frozen=True):
    """The end of a match: some cards of its deck, and who came where."""

    cards: tuple[str, ...]
    places: tuple[PodiumPlace, ...]


Photo: TypeAlias = CardRows | Podium
"""A photo; a message without one has no rows of cards."""
