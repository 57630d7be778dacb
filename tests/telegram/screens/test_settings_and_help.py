"""The screens of settings, help and rules."""

from services.telegram import callback_data
from services.telegram.handlers.commands import SCOPES, described, help_for
from services.telegram.records import ChatRecord, PersonRecord
from services.telegram.screens.settings_and_help import forget_screen, group_screen, pages, person_screen, rules_screen
from tests.telegram.samples import REF, key, keys, read

RULES = "# Title & more\n\nA *soft* and **strong** line with `7h`.\n\n- one\n- two <b>\n\n## Next\n\n" + "long " * 500


def test_the_settings_of_a_group_show_each_value_and_its_alternatives() -> None:
    chat = ChatRecord(-5, language="it", seconds=60, hosts="admins", nudges=False)
    screen = group_screen(chat, "it")
    text = read(screen)
    assert "Lingua: Italiano" in text
    assert "Tempo per mossa ai tavoli nuovi: 1 minuto" in text
    assert "Chi apre e chiude i tavoli: gli amministratori" in text
    assert "Solleciti (/sollecita): spenti" in text
    assert key(screen, "Tavoli: permetti a tutti").data == callback_data.ChangeSetting("hosts", 0)
    assert key(screen, "Accendi i solleciti").data == callback_data.ChangeSetting("nudges", 1)
    assert key(screen, "English").data == callback_data.ChangeSetting("language", 1)
    assert "Immagine alla fine della partita: no" in text
    assert key(screen, "Accendi l'immagine di fine partita").data == callback_data.ChangeSetting("pictures", 1)


def test_a_person_chooses_their_own_language() -> None:
    labels = [button.label for button in keys(person_screen(PersonRecord(1, "Anna", "it"), "it"))]
    assert labels[:3] == ["● Italiano", "English", "Accendi le foto"]


def test_a_person_switches_photos_of_their_cards_on_and_off() -> None:
    off, on = (person_screen(PersonRecord(1, "Anna", "it", photos=photos), "it") for photos in (False, True))
    assert "Foto delle tue carte a ogni mano: no" in read(off)
    assert "Foto delle tue carte a ogni mano: sì" in read(on)
    assert key(off, "Accendi le foto").data == callback_data.ChangeSetting("photos", 1)
    assert key(on, "Spegni le foto").data == callback_data.ChangeSetting("photos", 0)


def test_a_person_switches_reminders_off_and_on() -> None:
    on, off = (person_screen(PersonRecord(1, "Anna", "it", reminders=wanted), "it") for wanted in (True, False))
    assert "Promemoria quando tocca a te: accesi" in read(on)
    assert "Promemoria quando tocca a te: spenti" in read(off)
    assert key(on, "Spegni i promemoria").data == callback_data.ChangeSetting("reminders", 0)
    assert key(off, "Accendi i promemoria").data == callback_data.ChangeSetting("reminders", 1)


def test_a_person_chooses_when_the_bot_passes_for_them() -> None:
    screen = person_screen(PersonRecord(1, "Anna", "it", passing="always"), "it")
    assert "Passo automatico: sempre" in read(screen)
    assert [button.label for button in keys(screen)][-3:] == ["Mai", "Solo se obbligato", "● Sempre"]


def test_forgetting_is_offered_in_part_and_as_a_whole() -> None:
    assert [button.data for button in keys(forget_screen("it"))] == [
        callback_data.ForgetPerson("boards"), callback_data.ForgetPerson("all"), callback_data.ForgetPerson("nothing"),
    ]  # fmt: skip


def test_rules_are_cut_into_pages_that_keep_the_markup() -> None:
    first = pages(RULES)[0]
    assert "<b>Title &amp; more</b>" in first
    assert "<i>soft</i> and <b>strong</b> line with <code>7h</code>" in first
    assert "• one\n• two &lt;b&gt;" in first
    assert all(len(page) < 4096 for page in pages(RULES))


def test_a_line_that_goes_on_in_the_source_goes_on_in_the_chat() -> None:
    text = "# Briscola\nA game of\ntricks.\n\n- Aces *count\n  most*.\n- Threes follow."
    assert pages(text) == ["<b>Briscola</b>\nA game of tricks.\n\n• Aces <i>count most</i>.\n• Threes follow."]


def test_the_pages_of_the_rules_turn_and_end() -> None:
    last = len(pages(RULES)) - 1
    assert key(rules_screen("gatto_rosso", RULES, 0, "it"), "▶️").data == callback_data.ShowRules("gatto_rosso", 1)
    assert "▶️" not in [button.label for button in keys(rules_screen("gatto_rosso", RULES, last, "it"))]
    assert read(rules_screen("gatto_rosso", RULES, 99, "it")) == read(rules_screen("gatto_rosso", RULES, last, "it"))


def test_the_rules_at_a_table_mark_the_variants_that_are_on() -> None:
    text = read(rules_screen("gatto_rosso", RULES, 0, "it", ref=REF, variants=("I gatti",)))
    assert "A questo tavolo valgono:\n✅ I gatti" in text


def test_the_help_names_the_commands_in_each_language() -> None:
    assert "/gioca" in read(help_for("it", "private"))
    assert "/play" in read(help_for("en", "group"))
    for place in SCOPES:
        assert len(described("it", place)) == len(described("en", place)) == len(dict(described("it", place)))
