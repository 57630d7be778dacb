"""The games of this package for type checkers: their names, and their options and moves as JSON.

`make openapi` writes it from the games' types (`scripts/literals.py`). Nothing imports it when a program runs.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict

LiteralGame: TypeAlias = Literal["gatto_rosso", "ramino", "diavoletto", "presidente"]


class GattoRossoOptions(TypedDict):
    """The options of Gatto Rosso Gatto Grigio. The defaults are the standard rules; `Variants` describes the others."""

    cats: NotRequired[bool]
    three_suits: NotRequired[Literal["s", "h", "d", "c"] | None]
    voluntary_pass: NotRequired[bool]
    pass_lock: NotRequired[bool]
    last_trick: NotRequired[Literal["closer", "play_out", "nobody"]]
    last_deal: NotRequired[Literal["level_hands", "equal_shares"]]
    cats_strict: NotRequired[bool]
    deals: NotRequired[int]


class RaminoOptions(TypedDict):
    """The options of Ramino. The defaults are the standard rules; `Variants` in the rules describes the others."""

    target: NotRequired[int]
    return_taken: NotRequired[bool]
    stock_end: NotRequired[Literal["shuffle", "turn_over", "block"]]
    idle_rounds: NotRequired[int]
    blocked_score: NotRequired[Literal["count", "void"]]
    final_tie: NotRequired[Literal["shared", "extra_deal"]]
    ramino_double: NotRequired[bool]
    long_scala: NotRequired[bool]


class DiavolettoOptions(TypedDict):
    """The options of Diavoletto. The defaults are the standard rules; `Variants` in the rules describes the others."""

    max_piles: NotRequired[Literal[3, 4] | None]
    start_tie: NotRequired[Literal["reshuffle", "random"]]
    deadlock: NotRequired[Literal["count", "draw", "redeal"]]
    no_progress_turns: NotRequired[int]
    discard_order: NotRequired[Literal["free", "descending"]]
    joker_discard: NotRequired[bool]
    mazzetto_size: NotRequired[Literal[26, 20, 13]]
    score: NotRequired[Literal["win", "cards_left"]]
    deals: NotRequired[int]


class PresidenteOptions(TypedDict):
    """The options of Presidente. The defaults are the standard rules; `Variants` in the rules describes the others."""

    revolution: NotRequired[bool]
    joker: NotRequired[bool]
    eight: NotRequired[bool]
    tax: NotRequired[bool]
    play_on: NotRequired[bool | Literal["auto"]]
    pass_lock: NotRequired[bool]
    leftovers: NotRequired[Literal["shown", "hidden"]]
    joker_eight: NotRequired[Literal["joker", "eight"]]
    finish_ban: NotRequired[Literal["none", "joker", "eight", "both"]]
    deals: NotRequired[int]


class GattoRossoPlay(TypedDict):
    """Play a card: to lead, or to beat the top card."""

    type: Literal["play"]
    card: str


class GattoRossoPass(TypedDict):
    """Pass the turn without playing."""

    type: Literal["pass"]


RaminoDraw = TypedDict(
    "RaminoDraw",
    {
        "type": Literal["draw"],
        "from": Literal["stock", "discards"],
    },
)


class RaminoMeld(TypedDict):
    """Lay a combination: three cards stay on the table, longer ones go straight to the discards."""

    type: Literal["meld"]
    cards: list[str] | tuple[str, ...]


class RaminoAttach(TypedDict):
    """Attach a card to a combination on the table; all four cards go to the discards."""

    type: Literal["attach"]
    card: str
    meld: int


class RaminoDiscard(TypedDict):
    """Discard a card, which ends the turn."""

    type: Literal["discard"]
    card: str


DiavolettoBuild = TypedDict(
    "DiavolettoBuild",
    {
        "type": Literal["build"],
        "from": Literal["hand", "mazzetto", "column"],
        "card": str,
        "column": NotRequired[int | None],
        "build": NotRequired[int | None],
    },
)


class DiavolettoDiscard(TypedDict):
    """Discard a card from the hand to one of your columns, which ends the turn."""

    type: Literal["discard"]
    card: str
    column: NotRequired[int]


class DiavolettoEnd(TypedDict):
    """End the turn with an empty hand."""

    type: Literal["end"]


class PresidentePlay(TypedDict):
    """Play a combination: to lead, or to beat the one on the table."""

    type: Literal["play"]
    cards: list[str] | tuple[str, ...]
    joker: NotRequired[str | None]


class PresidentePass(TypedDict):
    """Pass the turn without playing."""

    type: Literal["pass"]


class PresidenteGive(TypedDict):
    """Choose the cards to give for the tax; the same number is drawn from the partner's hand in return."""

    type: Literal["give"]
    cards: list[str] | tuple[str, ...]


LiteralOptions: TypeAlias = GattoRossoOptions | RaminoOptions | DiavolettoOptions | PresidenteOptions
LiteralMove: TypeAlias = (
    GattoRossoPlay
    | GattoRossoPass
    | RaminoDraw
    | RaminoMeld
    | RaminoAttach
    | RaminoDiscard
    | DiavolettoBuild
    | DiavolettoDiscard
    | DiavolettoEnd
    | PresidentePlay
    | PresidentePass
    | PresidenteGive
)
