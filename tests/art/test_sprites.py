import gzip
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from art import cuccu, faces, french, italian
from art.__main__ import fan
from locanda.cards import CODES as FRENCH_CODES
from locanda.cards import ITALIAN_RANKS, SUITS
from locanda.cards.cuccu import CODES as CUCCU_CODES

FOLDER = Path("services/web/art")
SVG = "{http://www.w3.org/2000/svg}"
DECKS = {"french": french.sprite, "italian": italian.sprite, "cuccu": cuccu.sprite}
PRESENTATION = {"text", "tspan", "style", "script", "image", "font", "foreignObject"}


def elements(name: str) -> list[ElementTree.Element]:
    return list(ElementTree.parse(FOLDER / f"{name}.svg").getroot().iter())


@pytest.mark.parametrize("name", DECKS)
def test_the_committed_sprite_is_what_the_generator_draws(name: str) -> None:
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == DECKS[name](), "run make art"


def test_the_committed_faces_are_what_the_generator_draws() -> None:
    assert (FOLDER / "faces.svg").read_text(encoding="utf-8") == faces.sprite(), "run make art"


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("french", {*FRENCH_CODES, "joker", "back"}),
        ("italian", {"back", *(rank + suit for rank in ITALIAN_RANKS for suit in SUITS)}),
        ("cuccu", {*CUCCU_CODES, "back"}),
    ],
)
def test_every_card_of_the_deck_has_a_symbol_of_one_size(name: str, codes: set[str]) -> None:
    symbols = [element for element in elements(name) if element.tag == f"{SVG}symbol"]
    assert {symbol.get("id") for symbol in symbols} == codes
    assert len(symbols) == len(codes)
    assert {symbol.get("viewBox") for symbol in symbols} == {"0 0 100 140"}


@pytest.mark.parametrize("name", DECKS)
def test_no_two_faces_look_the_same(name: str) -> None:
    symbols = [element for element in elements(name) if element.tag == f"{SVG}symbol"]
    drawn = {re.sub(rf"_?{symbol.get('id')}\b", "", ElementTree.tostring(symbol, "unicode")) for symbol in symbols}
    assert len(drawn) == len(symbols)


@pytest.mark.parametrize("name", DECKS)
def test_a_sprite_needs_no_font_no_style_sheet_no_script_and_no_other_file(name: str) -> None:
    for element in elements(name):
        assert element.tag.removeprefix(SVG) not in PRESENTATION
        assert "style" not in element.attrib
        assert not any("url(" in value for value in element.attrib.values())
        if element.tag == f"{SVG}use":
            assert element.attrib["href"].startswith("#")


@pytest.mark.parametrize("name", DECKS)
def test_every_shared_part_is_drawn_once_and_used(name: str) -> None:
    ids = [element.attrib["id"] for element in elements(name) if "id" in element.attrib]
    uses = {element.attrib["href"].removeprefix("#") for element in elements(name) if element.tag == f"{SVG}use"}
    assert len(ids) == len(set(ids))
    assert uses == {identity for identity in ids if identity.startswith("_")}


@pytest.mark.parametrize(("name", "most"), [("french", 4_400), ("italian", 3_600), ("cuccu", 8_200)])
def test_a_sprite_stays_within_its_budget(name: str, most: int) -> None:
    assert len(gzip.compress((FOLDER / f"{name}.svg").read_bytes(), 9)) <= most


def test_the_suits_take_their_colours_from_the_page() -> None:
    sprite = french.sprite()
    for suit in ("hearts", "diamonds", "clubs", "spades"):
        assert sprite.count(f"var(--suit-{suit},") == 13


def test_pictures_made_by_others_come_with_their_licence() -> None:
    for notice in (FOLDER / "LICENSE.fluent", Path("art/fluent/LICENSE")):
        assert "Copyright (c) Microsoft Corporation" in notice.read_text(encoding="utf-8")
    assert "SIL Open Font License" in Path("art/letters/OFL.txt").read_text(encoding="utf-8")


def test_the_page_gives_four_colours_to_the_suits_by_properties_that_the_cards_have() -> None:
    rule = re.search(r'\[data-suits="four"\] \{([^}]*)\}', Path("services/web/style/looks.css").read_text("utf-8"))
    assert rule is not None
    names = re.findall(r"(--[a-z-]+):", rule[1])
    assert names
    assert all(f"var({name}," in french.sprite() for name in names)


def test_the_lobby_s_fan_is_what_the_generator_draws_and_light() -> None:
    drawn = fan()
    assert (FOLDER / "cuccu-fan.svg").read_text(encoding="utf-8") == drawn, "run make art"
    assert len(gzip.compress(drawn.encode(), 9)) <= 3_500


def test_the_lobby_finds_the_cards_of_its_fan() -> None:
    symbols = {element.get("id") for element in elements("cuccu-fan") if element.tag == f"{SVG}symbol"}
    lobby = (FOLDER.parent / "screens" / "lobby.js").read_text()
    (wanted,) = re.findall(r'cuccu-fan.*?fans: \["([^"]*)"\]', lobby, re.DOTALL)
    assert set(wanted.split()) == symbols
