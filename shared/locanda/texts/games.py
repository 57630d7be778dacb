"""The protocol of the modules `locanda.games.<game>.texts`, and the labels of each game's piles."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, Protocol, TypeAlias, cast

from msgspec import structs

from locanda.games.base import N_, Pile
from locanda.games.registry import WIRE_TYPES, AnyView, part
from locanda.messages import CardWords, JsonObject
from locanda.texts.phrases import card_count
from locanda.translations import Translations

REMEMBERED = 64
"""Decks in one language whose cards' names are remembered: each drawing of a hand needs them."""
NOTHING = "—"
"""What lies on an empty pile."""

GameView: TypeAlias = Any
"""The view of the game in question: `locanda.games.<game>.types.View`."""
GameEvent: TypeAlias = Any
"""An event of the game in question: one of `locanda.games.<game>.types.Event`."""


Taps: TypeAlias = Literal["none", "select", "play"]
"""What a tap on a card does where a text stands: nothing, as cards are typed or the text has no buttons; it selects the
card; or it plays it at once."""


class GameTexts(Protocol):
    """The functions of a module `locanda.games.<game>.texts`, all of them pure.

    Names come by seat, marked up as the client needs them; texts return in the language of `translations`.
    """

    LABELS: dict[str, str]
    """Short names of the game's piles, moves and states, as msgids, beside those of every game (`texts.labels`)."""

    ENDINGS: dict[str, str]
    """By the reason of a result, how the deal ended, as msgids.

    `{name}` is whoever won the deal, `{closer}` whoever played its last card.
    """

    TITLES: dict[int, tuple[str, ...]]
    """By the number of seats, what those at each place are called, as msgids; empty where places have no names."""

    def tally(self, view: GameView, seat: int, translations: Translations, /) -> str:
        """Return in a few words how many cards a seat holds, and what it has won."""

    def hand(self, view: GameView, translations: Translations, /) -> list[str]:
        """Return the viewer's cards in the order in which they are shown; empty for a spectator."""

    def secrets(self, view: GameView, names: Sequence[str], translations: Translations, /) -> list[str]:
        """Return what only the viewer knows besides their hand, a line each."""

    def task(self, view: GameView, moves: Sequence[JsonObject], translations: Translations, /, *, taps: Taps) -> str:
        """Return what the viewer, on turn, has to do."""

    def move_label(self, move: JsonObject, view: GameView, translations: Translations, /) -> str:
        """Return a legal move in a few words; no two legal moves have the same."""

    def event_text(self, event: GameEvent, names: Sequence[str], translations: Translations, /) -> str:
        """Return an event of the game; empty for an event that clients do not show."""

    def deck(self, translations: Translations, /) -> dict[str, CardWords]:
        """Return what every card of the game's deck is called, by its code."""

    def facts(self, view: GameView, names: Sequence[str], translations: Translations, /) -> list[str]:
        """Return what there is to know about the deal besides its piles, a line each."""

    def points(self, number: int, translations: Translations, /) -> str:
        """Return a number of points, in the game's word for them."""

    def refusal_text(
        self,
        code: str,
        facts: JsonObject,
        view: GameView | None,
        moves: Sequence[JsonObject],
        translations: Translations,
        /,
    ) -> str:
        """Return why a move was refused, from the refusal and the mover's view and legal moves.

        Empty for a code with which the game refuses no move.
        """


class PileTexts(Protocol):
    """What a module of texts may have besides: what the game's `PILES` alone do not say."""

    def piles(self, view: GameView, names: Sequence[str], translations: Translations, /) -> dict[str, str]:
        """Return in a few words what lies on a pile, by its label; on a seat's own by `label.seat`."""


@cache
def texts_of(game: str) -> GameTexts:
    """Return the texts of a game by its name, as in `GAME_NAMES`."""
    return cast("GameTexts", part(game, "texts"))


def missing_texts(game: str) -> list[str]:
    """Return what the texts of a game lack."""
    names = [*GameTexts.__annotations__, *(name for name in vars(GameTexts) if not name.startswith("_"))]
    return [name for name in names if not hasattr(texts_of(game), name)]


def game_of(view: AnyView) -> str:
    """Return the game that a view is of."""
    return str(type(view).__struct_config__.tag)  # type: ignore[attr-defined]


def cards_of(move: JsonObject) -> tuple[str, ...]:
    """Return the cards of a move, in its order; empty for a move without cards."""
    return (move["card"],) if "card" in move else tuple(move.get("cards", ()))


def no_facts(_view: GameView, _names: Sequence[str], _translations: Translations) -> list[str]:
    """Return nothing: the `facts` of a game whose piles show everything."""
    return []


def no_secrets(_view: GameView, _names: Sequence[str], _translations: Translations) -> list[str]:
    """Return nothing: the `secrets` of a game whose players know no more than their hands."""
    return []


# --- cards and piles


@lru_cache(REMEMBERED)
def short_names(game: str, translations: Translations) -> Mapping[str, str]:
    """Return what each card of a game's deck is shown as, by its code."""
    return {code: words.short for code, words in texts_of(game).deck(translations).items()}


def piles_of(view: AnyView, names: Sequence[str], translations: Translations) -> dict[str, str]:
    """Return what lies on each pile of a view, as its game declares the piles (`PILES`) or has own words for them.

    One of which only the number is seen is left out where that is none.
    """
    game = game_of(view)
    texts, found = texts_of(game), dict[str, str]()
    short = short_names(game, translations)
    for pile in WIRE_TYPES[game].PILES:
        value, label = getattr(view, pile.field), pile.field if pile.several else pile.name
        each = {f"{label}.{seat}": own for seat, own in enumerate(value)} if pile.whose == "seat" else {label: value}
        found |= {key: _lying(pile, own, short, translations) for key, own in each.items() if own != 0}
    return found | (cast("PileTexts", texts).piles(view, names, translations) if hasattr(texts, "piles") else {})


def _lying(pile: Pile, value: Any, short: Mapping[str, str], translations: Translations) -> str:  # noqa: ANN401
    """Return what lies on a pile: its cards, or of stacked ones the number."""
    if pile.several:
        one = structs.replace(pile, several=False)
        return "\n".join(_lying(one, each, short, translations) for each in value) or NOTHING
    cards, count = _contents(value)
    if not count:
        return NOTHING
    if pile.lies in ("spread", "trick") or pile.under:
        return " ".join(short[card] for card in cards)
    text = card_count(count, translations)
    return f"{short[cards[-1]]} ({text})" if cards and pile.lies == "stacked" else text


def _contents(value: Any) -> tuple[Sequence[str], int]:  # noqa: ANN401  (what a view has of a pile)
    """Return the cards that are seen of a pile, and how many it has."""
    if isinstance(value, int):
        return (), value
    if hasattr(value, "top"):
        return (value.top,) if value.top else (), value.count
    cards = getattr(value, "cards", value) or ()
    return (cards,) if isinstance(cards, str) else cards, 1 if isinstance(cards, str) else len(cards)


# --- labels

COMMON_LABELS = {
    "hand": N_("Your hand"),
    "stock": N_("Stock"),
    "dealer": N_("Dealer"),
    "playable": N_("can be played"),
    "unplayable": N_("cannot be played now"),
    "back": N_("face-down card"),
}


def labels_of(game: str, translations: Translations) -> dict[str, str]:
    """Return the labels of a game."""
    return {key: translations.gettext(text) for key, text in (COMMON_LABELS | texts_of(game).LABELS).items()}


def labelled_piles(view: AnyView, names: Sequence[str], translations: Translations) -> list[tuple[str, str]]:
    """Return each pile of a view, but for those of single seats, with its label."""
    game = game_of(view)
    labels, piles = labels_of(game, translations), piles_of(view, names, translations)
    return [(labels[name], cards) for name, cards in piles.items() if name in labels]
