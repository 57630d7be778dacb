"""The interface of each game's module `texts`, its defaults, and texts for a game's piles."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from types import SimpleNamespace
from typing import Any, Literal, Protocol, TypeAlias, cast

from msgspec import structs

from locanda.explanations import refusals_of
from locanda.games.base import N_, Pile
from locanda.games.registry import WIRE_TYPES, AnyView, part
from locanda.messages import CardWords, JsonObject
from locanda.texts.phrases import card_count, points
from locanda.translations import Translations

REMEMBERED = 64
"""Cache size, in decks and languages, for the names of cards: every drawing of a hand needs them."""
NOTHING = "—"
"""Text for an empty pile."""

GameView: TypeAlias = Any
"""The view of the game: `locanda.games.<game>.types.View`."""
GameEvent: TypeAlias = Any
"""An event of the game: one of `locanda.games.<game>.types.Event`."""


Taps: TypeAlias = Literal["none", "select", "play"]
"""The effect of tapping a card: it is selected; it is played immediately; or none, without buttons for cards."""


class OwnTexts(Protocol):
    """Members that every module `locanda.games.<game>.texts` must have. All functions here and in `GameTexts` are pure.

    `names` are the players' names by seat, with the client's markup. Texts are in the language of `translations`.
    """

    LABELS: dict[str, str]
    """Short names of the game's piles, moves and states, as msgids, in addition to `COMMON_LABELS`."""

    def deck(self, translations: Translations, /) -> dict[str, CardWords]:
        """Return the names of all cards of the game's deck, by code."""

    def task(self, view: GameView, moves: Sequence[JsonObject], translations: Translations, /, *, taps: Taps) -> str:
        """Return the sentence that says what the viewer, who is on turn, should do."""

    def event_text(self, event: GameEvent, names: Sequence[str], translations: Translations, /) -> str:
        """Return the sentence for an event; empty for an event that clients do not show."""


class GameTexts(OwnTexts, Protocol):
    """The texts of a game: the members of its module `texts`, and defaults for the members that it lacks."""

    ICON: str
    """Emoji before the game's name in chats."""

    ENDINGS: dict[str, str]
    """Sentences for how a deal ended, as msgids by the result's reason; empty for a game without them.

    `{name}` is the winner of the deal, `{closer}` the player of its last card.
    """

    TITLES: dict[int, tuple[str, ...]]
    """Names of the places by number of seats, as msgids; empty if places have no names."""

    REFUSAL_SENTENCES: dict[str, str]
    """Sentences for refusals that games share, as msgids by code; the refusal's facts are placeholders.

    If the sentence depends on a fact, the key is `code word`; the word is the fact's name or value.
    """

    def tally(self, view: GameView, seat: int, translations: Translations, /) -> str:
        """Return a seat's number of cards and its winnings in a few words."""

    def secrets(self, view: GameView, names: Sequence[str], translations: Translations, /) -> list[str]:
        """Return lines with facts that only the viewer knows, in addition to their hand."""

    def move_label(self, move: JsonObject, view: GameView, translations: Translations, /) -> str:
        """Return the label of a legal move; it must be unique among the legal moves."""

    def facts(self, view: GameView, names: Sequence[str], translations: Translations, /) -> list[str]:
        """Return lines with facts about the deal that are not visible on its piles."""

    def points(self, number: int, translations: Translations, /) -> str:
        """Return a number of points, with the game's own word for points."""

    def refusal_text(
        self,
        code: str,
        facts: JsonObject,
        view: GameView | None,
        moves: Sequence[JsonObject],
        translations: Translations,
        /,
    ) -> str:
        """Return the sentence for a refusal of the game, from the mover's view and moves; empty if unknown."""


class PileTexts(Protocol):
    """Optional function of a module `texts`, for piles that the game's `PILES` do not describe."""

    def piles(self, view: GameView, names: Sequence[str], translations: Translations, /) -> dict[str, str]:
        """Return texts for the cards on piles, by label; for a seat's own pile by `label.seat`."""


@cache
def texts_of(game: str) -> GameTexts:
    """Return the texts of a game by its name, one of `GAME_NAMES`."""
    said_of_any = _OF_ANY_GAME | {"refusal_text": partial(_refusal_text, game)}
    return cast("GameTexts", SimpleNamespace(**said_of_any | vars(part(game, "texts"))))


def game_of(view: AnyView) -> str:
    """Return the name of the game that a view belongs to."""
    return str(type(view).__struct_config__.tag)  # type: ignore[attr-defined]


def cards_of(move: JsonObject) -> tuple[str, ...]:
    """Return the cards of a move in its order; empty for a move without cards."""
    return (move["card"],) if "card" in move else tuple(move.get("cards", ()))


# --- defaults


def tally(view: AnyView, seat: int, translations: Translations) -> str:
    """Return how many cards a seat holds."""
    return translations.gettext("{n} in hand").format(n=view.counts[seat])


def move_label(move: JsonObject, view: AnyView, translations: Translations) -> str:
    """Return the cards of a move; for a move without cards, the word for a pass."""
    return on_a_line(cards_of(move), game_of(view), translations) or translations.gettext("Pass")


def partners(view: AnyView, names: Sequence[str], translations: Translations) -> list[str]:
    """Return sentences about who plays together, for games of two against two."""
    text = translations.gettext("{first} and {second} play together.")
    opposite = [(0, 2), (1, 3)] if len(view.counts) == 4 else []
    return [text.format(first=names[first], second=names[second]) for first, second in opposite]


def _nothing(_view: AnyView, _names: Sequence[str], _translations: Translations) -> list[str]:
    return []


def _refusal_text(
    game: str,
    code: str,
    facts: JsonObject,
    _view: GameView | None,
    _moves: Sequence[JsonObject],
    translations: Translations,
) -> str:
    return refusal_sentence(game, code, facts, translations)


_OF_ANY_GAME: dict[str, Any] = {
    "ICON": "🎴",
    "ENDINGS": {},
    "TITLES": {},
    "REFUSAL_SENTENCES": {},
    "tally": tally,
    "secrets": _nothing,
    "move_label": move_label,
    "facts": _nothing,
    "points": points,
}

COMMON_REFUSALS = {"not_in_hand": N_("You do not hold {card}.")}


@cache
def refusal_sentences(game: str) -> Mapping[str, str]:
    """Return a game's sentences for refusals as msgids, by code or `code word`."""
    own = {code: refusal.sentence for code, refusal in refusals_of(WIRE_TYPES[game]).items() if refusal.sentence}
    return COMMON_REFUSALS | own | texts_of(game).REFUSAL_SENTENCES


def refusal_sentence(game: str, code: str, facts: JsonObject, translations: Translations) -> str:
    """Return a game's sentence for a refusal, with cards in its facts as signs; empty if there is none."""
    sentences = refusal_sentences(game)
    kinds = (f"{code} {word}" for fact in facts.items() for word in fact)
    text = next((sentences[kind] for kind in kinds if kind in sentences), sentences.get(code, ""))
    shown = {name: _fact(value, game, translations) for name, value in facts.items()}
    return translations.gettext(text).format(**shown) if text else ""


def _fact(value: object, game: str, translations: Translations) -> str:
    short = short_names(game, translations)
    if isinstance(value, list | tuple):
        return on_a_line((code for code in map(str, value) if code in short), game, translations)
    return short.get(str(value), str(value))


# --- cards and piles


@lru_cache(REMEMBERED)
def short_names(game: str, translations: Translations) -> Mapping[str, str]:
    """Return the short names of the cards of a game's deck, by code."""
    return {code: words.short for code, words in texts_of(game).deck(translations).items()}


def on_a_line(codes: Iterable[str], game: str, translations: Translations) -> str:
    """Join several cards of a game in the same order, with commas if their names consist of several words."""
    short = short_names(game, translations)
    return _separator(game, translations).join([short[code] for code in codes])


@lru_cache(REMEMBERED)
def _separator(game: str, translations: Translations) -> str:
    return ", " if any(" " in short for short in short_names(game, translations).values()) else " "


def hand_of(view: AnyView, translations: Translations) -> list[str]:
    """Return the viewer's cards; empty for a spectator."""
    short = short_names(game_of(view), translations)
    return [short[code] for code in view.hand or ()]


def piles_of(view: AnyView, names: Sequence[str], translations: Translations) -> dict[str, str]:
    """Return the cards on each pile of a view, described by the game's `PILES` or its own function `piles`.

    An empty pile that only shows its number of cards is left out.
    """
    game = game_of(view)
    texts, lying = texts_of(game), dict[str, str]()
    short = short_names(game, translations)
    for pile in WIRE_TYPES[game].PILES:
        value, label = getattr(view, pile.field), pile.field if pile.several else pile.name
        held = {f"{label}.{seat}": own for seat, own in enumerate(value)} if pile.whose == "seat" else {label: value}
        lying |= {key: _lying(pile, own, short, translations) for key, own in held.items() if own != 0}
    return lying | (cast("PileTexts", texts).piles(view, names, translations) if hasattr(texts, "piles") else {})


def _lying(pile: Pile, value: Any, short: Mapping[str, str], translations: Translations) -> str:  # noqa: ANN401
    """Return the text of a pile: its cards, or the number of cards in a stack."""
    if pile.several:
        one = structs.replace(pile, several=False)
        return "\n".join(_lying(one, part, short, translations) for part in value) or NOTHING
    cards, count = _contents(value)
    if not count:
        return NOTHING
    if pile.lies in ("spread", "trick") or pile.under:
        return " ".join(short[card] for card in cards)
    text = card_count(count, translations)
    return f"{short[cards[-1]]} ({text})" if cards and pile.lies == "stacked" else text


def _contents(value: Any) -> tuple[Sequence[str], int]:  # noqa: ANN401  (a pile in a view)
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
    """Return the labels of a game, translated."""
    return {key: translations.gettext(text) for key, text in (COMMON_LABELS | texts_of(game).LABELS).items()}


def labelled_piles(view: AnyView, names: Sequence[str], translations: Translations) -> list[tuple[str, str]]:
    """Return each pile of a view with its label, except seats' own piles."""
    game = game_of(view)
    labels, piles = labels_of(game, translations), piles_of(view, names, translations)
    return [(labels[name], cards) for name, cards in piles.items() if name in labels]
