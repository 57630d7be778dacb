"""The Cuccù deck: 40 cards, two copies each of twenty designs, without suits.

A design is a small integer in code, 0 to 19, and a string such as ``XIIII`` outside (its *code*); the two copies of a
design are the same card. The numerals are additive, as they are printed: ``IIII``, never ``IV``.
"""

from collections.abc import Iterable

from msgspec import Struct

COPIES = 2
"""The number of cards of each design."""


class Design(Struct, frozen=True):
    """A design of the deck: names, symbol, picture and value."""

    code: str
    name_it: str
    name_en: str
    symbol: str
    """The card in a line of text, beside its name."""
    picture_it: str
    """The card's picture, in Italian."""
    picture_en: str
    """The card's picture, in English."""
    value: int | None = None
    """The value of the numeral; none for a card without a numeral."""
    figure: bool = False
    caption: str | None = None
    """The words printed on the card, where it has any."""

    @property
    def numeral(self) -> str | None:
        """The numeral on the card, if it has one; it is the card's code."""
        return None if self.value is None else self.code

    @property
    def points(self) -> int:
        """The points of the card in hand: its numeral, or ten if it has none."""
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
"""Every design: the figures without a numeral, from the Fool to Nothing, then I to XV."""

CODES: tuple[str, ...] = tuple(design.code for design in DESIGNS)
"""The code of each design."""

CARDS: dict[str, int] = {code: card for card, code in enumerate(CODES)}
"""The design of each code."""

PACK: tuple[int, ...] = tuple(range(len(DESIGNS))) * COPIES
"""The deck: two identical series."""


def codes(cards: Iterable[int]) -> tuple[str, ...]:
    """Return the codes of cards, in the order given."""
    return tuple([CODES[card] for card in cards])
