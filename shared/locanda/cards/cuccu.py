"""The Cuccù deck: 40 cards without suits, two copies each of twenty designs.

In code a card is its design, an integer from 0 to 19; outside it is a string such as ``XIIII``, its *code*. Both copies
of a design are the same integer. Numerals are additive, as printed on the cards: ``IIII``, not ``IV``.
"""

from collections.abc import Iterable

from msgspec import Struct

COPIES = 2


class Design(Struct, frozen=True):
    """A design of the deck: code, names, symbol, picture and value."""

    code: str
    name_it: str
    name_en: str
    symbol: str
    """Emoji or numeral that stands for the card in a line of text."""
    picture_it: str
    """Description of the picture, in Italian."""
    picture_en: str
    """Description of the picture, in English."""
    value: int | None = None
    """Value of the numeral; None for a card without one."""
    figure: bool = False
    caption: str | None = None
    """Words printed on the card, if any."""

    @property
    def numeral(self) -> str | None:
        """The numeral printed on the card, which is also its code; None for a card without one."""
        return None if self.value is None else self.code

    @property
    def points(self) -> int:
        """The points of the card in hand: the value of its numeral, or 10 without a numeral."""
        return 10 if self.value is None else self.value


def _plain(value: int, code: str, name_it: str, name_en: str) -> Design:
    picture_it, picture_en = "il numero romano sopra un piccolo paesaggio", "the Roman numeral above a small landscape"
    return Design(code, name_it, name_en, code, picture_it, picture_en, value=value)


DESIGNS: tuple[Design, ...] = (
    Design(
        code="MATTO",
        name_it="Matto",
        name_en="Fool",
        symbol="🃏",
        picture_it="un giullare con un bastone che finisce in una testa uguale alla sua",
        picture_en="a jester with a stick topped by a head like his own",
        caption="Matto",
        figure=True,
    ),
    Design(
        code="LEONE",
        name_it="Leone",
        name_en="Lion",
        symbol="🦁",
        picture_it="un leone rampante",
        picture_en="a rampant lion",
        figure=True,
    ),
    Design(
        code="MASCHERONE",
        name_it="Mascherone",
        name_en="Mask",
        symbol="👹",
        picture_it="una maschera grottesca dal viso di satiro",
        picture_en="a grotesque mask with a satyr's face",
        caption="Mascherone manco di secchia",
        figure=True,
    ),
    Design(
        code="SECCHIA",
        name_it="Secchia",
        name_en="Pail",
        symbol="🪣",
        picture_it="un secchio d'acqua",
        picture_en="a water pail",
        caption="Secchia meno di nulla",
        figure=True,
    ),
    Design(
        code="NULLA",
        name_it="Nulla",
        name_en="Nothing",
        symbol="⭕",
        picture_it="un anello giallo che racchiude la scritta",
        picture_en="a yellow ring around the word",
        caption="Nulla",
        figure=True,
    ),
    _plain(1, "I", "Uno", "One"),
    _plain(2, "II", "Due", "Two"),
    _plain(3, "III", "Tre", "Three"),
    _plain(4, "IIII", "Quattro", "Four"),
    _plain(5, "V", "Cinque", "Five"),
    _plain(6, "VI", "Sei", "Six"),
    _plain(7, "VII", "Sette", "Seven"),
    _plain(8, "VIII", "Otto", "Eight"),
    _plain(9, "VIIII", "Nove", "Nine"),
    _plain(10, "X", "Dieci", "Ten"),
    Design(
        code="XI",
        name_it="Locanda",
        name_en="Inn",
        symbol="🏠",
        picture_it="una locanda",
        picture_en="an inn",
        caption="Fermatevi alquanto",
        value=11,
        figure=True,
    ),
    Design(
        code="XII",
        name_it="Gnao",
        name_en="Cat",
        symbol="🐱",
        picture_it="un gatto dal viso quasi umano",
        picture_en="a cat with an almost human face",
        caption="Gnao",
        value=12,
        figure=True,
    ),
    Design(
        code="XIII",
        name_it="Salta",
        name_en="Horse",
        symbol="🐴",
        picture_it="un cavallo dal muso un po' caprino",
        picture_en="a horse with a rather goat-like muzzle",
        caption="Salta",
        value=13,
        figure=True,
    ),
    Design(
        code="XIIII",
        name_it="Bragon",
        name_en="Bragon",
        symbol="🏹",
        picture_it="un cacciatore, o forse un soldato",
        picture_en="a hunter, or perhaps a soldier",
        caption="Hai pigliato Bragon",
        value=14,
        figure=True,
    ),
    Design(
        code="XV",
        name_it="Cucco",
        name_en="Cuckoo",
        symbol="🦉",
        picture_it="un cucù che sembra piuttosto un gufo",
        picture_en="a cuckoo drawn more like an owl",
        value=15,
        figure=True,
    ),
)
"""All designs: first the five without a numeral, from the Fool to Nothing, then I to XV."""

CODES: tuple[str, ...] = tuple(design.code for design in DESIGNS)
"""Code of each design: a card is an index into it."""

CARDS: dict[str, int] = {code: card for card, code in enumerate(CODES)}
"""Card (design number) by code."""

PACK: tuple[int, ...] = tuple(range(len(DESIGNS))) * COPIES
"""All 40 cards of the deck."""


def codes(cards: Iterable[int]) -> tuple[str, ...]:
    """Return the codes of cards, in the same order."""
    return tuple([CODES[card] for card in cards])
