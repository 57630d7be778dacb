"""Every screen is within Telegram's limits, even with the most content, and names are escaped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from locanda.texts.chat import bold, plain, visible
from locanda.translations import Language
from services.telegram.evenings.summary import Score
from services.telegram.play.history import History, OwnMatch, Tally
from services.telegram.records import Podium, PodiumPlace, Standing
from services.telegram.screens.history import HistoryView, history_screen
from services.telegram.screens.leaderboard import leaderboard_screen
from services.telegram.screens.screen import CAPTION_LIMIT, TEXT_LIMIT, Screen, units, within_limits
from services.telegram.seasons.screens import SeasonView, season_over_screen, season_screen
from services.telegram.seasons.season import PastSeason, Season
from tests.emulator.html import parse_html
from tests.telegram.samples import GAME, view_model

YEARS = 10
PEOPLE = range(1, 201)
LONG = {person: f"Massimiliano della Vecchia Torre {person}"[:32] for person in PEOPLE}
SCORES = [Score(person, 300 - person, person, 400) for person in PEOPLE]
PAST = [PastSeason(number, 1e9, "week", tuple(SCORES[:20])) for number in range(52 * YEARS)]


def screens(language: Language) -> dict[str, Screen]:
    """Return the screens that grow with time, after ten years of a champion in a large group."""
    over = season_over_screen(PastSeason(520, 1e9, "month", tuple(SCORES)), LONG, "Europe/Rome", language)
    assert over
    matches = tuple(OwnMatch(1_000_000_000, -500, "gatto_rosso", dict.fromkeys(PEOPLE, 0)) for _ in range(10))
    return {
        "history": history_screen(
            HistoryView(
                user=1,
                tallies=[(GAME, Tally(40_000, 20_000))],
                history=History(matches, 40, (), ()),
                titles=[(number, "Gli amici del venerdì sera in piazza") for number in range(52 * YEARS)],
                names=LONG,
                groups={-500: "Gli amici del venerdì sera in piazza" * 4},
                zones={-500: "Europe/Rome"},
            ),
            language,
        ),
        "season": season_screen(SeasonView(season=Season(520), scores=SCORES, past=PAST, names=LONG), language),
        "season's end": over,
        "leaderboard": leaderboard_screen(
            GAME, [Standing(person, LONG[person], 9_999, 99_999) for person in PEOPLE], [GAME], language
        ),
    }


@pytest.mark.parametrize("language", ["it", "en"])
def test_after_ten_years_every_list_has_a_most_and_fits(language: Language) -> None:
    for name, screen in screens(language).items():
        assert units(screen.text) <= TEXT_LIMIT, name


def test_a_champion_of_many_seasons_reads_the_latest_titles_and_how_many_more_there_are() -> None:
    assert "e altri 508" in screens("it")["history"].text


@given(st.lists(st.sampled_from(["<b>Anna</b>", "<i>x", "y</i>", "<code>7&amp;8</code>", "🐈" * 40, ""]), max_size=300))
def test_what_is_too_long_is_cut_after_whole_lines_with_every_tag_closed(lines: list[str]) -> None:
    balanced = [line for line in lines if "<i>" not in line and "</i>" not in line]
    text = "\n".join(["<blockquote expandable>", *balanced, "</blockquote>"])
    for photo, limit in (((), TEXT_LIMIT), (Podium((), (PodiumPlace(1, "Anna", "3"),)), CAPTION_LIMIT)):
        fitting = within_limits(Screen(text, photo=photo))
        assert units(fitting.text) <= limit
        assert fitting.text == text or fitting.text.endswith("</blockquote>\n…")
        parse_html(fitting.text)


@pytest.mark.parametrize("name", ["@anna", "/chiudi", "#carte", "anna.it", "mail@anna.it", "$EUR"])
def test_a_name_is_no_mention_command_tag_or_link(name: str) -> None:
    shown = visible(bold(name))
    assert shown.replace("\u2060", "") == name
    assert "\u2060" in shown


def test_only_a_name_from_right_to_left_is_isolated() -> None:
    assert plain("عمر") == "\u2068عمر\u2069"
    assert plain("Anna") == "Anna"


def test_no_person_looks_like_a_computer_player() -> None:
    model = view_model()
    first, *others = model.table.seats
    seats = (structs.replace(first, name="Ugo 🤖"), *others)
    assert structs.replace(model, table=structs.replace(model.table, seats=seats)).names == ["Ugo", "Bruno", "Ugo 🤖"]
