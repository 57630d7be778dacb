"""Screens of a group's evening: the plan, the invitation, its tables, and the summary."""

from collections.abc import Mapping, Sequence

from babel.dates import get_timezone_location
from msgspec import Struct

from locanda.messages import GameInfo
from locanda.texts.chat import bold, plain
from locanda.texts.games import texts_of
from locanda.texts.phrases import listed, medal, place_number, points
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.evenings.evening import Evening, PlannedTable
from services.telegram.evenings.summary import Duel, NotableHand, Score, Summary, leaders, placed
from services.telegram.play.cards import GAME_SCREENS
from services.telegram.play.dates import DAYS, WeeklyTime, day_of, local
from services.telegram.records import FACE_DOWN, Podium, PodiumPlace
from services.telegram.screens.games import bold_title, game_title
from services.telegram.screens.screen import (
    Button,
    Rows,
    Screen,
    at_most,
    choice,
    fits_caption,
    in_lines,
    in_rows,
    joined,
    mention,
    time_of,
)

NIGHT_ENDS = 5
"""The hour at which night becomes morning."""

MOST_NAMES, MOST_SCORES = 50, 40
"""Maximum number of names of each list, and of scores, in a message."""
IN_PICTURE = 6
"""Maximum number of places in an evening's picture."""


class EveningView(Struct, frozen=True, kw_only=True):
    """The data of an evening's messages."""

    evening: Evening
    game: GameInfo
    now: float
    names: Mapping[int, str] = {}
    """Names of the people who have answered or played, without people whose data was deleted."""
    coming: Sequence[int] = ()
    staying: Sequence[int] = ()
    letters: Mapping[str, str] = {}
    """The letters of tables, by their reference."""
    fingerprints: Mapping[str, str] = {}
    """The fingerprints of the shuffles by table, once people are seated."""
    playing: bool = False
    """Whether a match is under way at one of the evening's tables."""
    summary: Summary | None = None
    following: float | None = None
    """Time of the group's next evening (Unix seconds)."""

    def named(self, people: Sequence[int]) -> list[str]:
        """Return the names of these people, without those whose name is unknown."""
        return [self.names[person] for person in people if person in self.names]


# --- the plan


def how_to_fix_screen(zone: str, language: Language) -> Screen:
    """Explain how to fix an evening."""
    translations = translations_in(language)
    text = translations.gettext(
        "When do you play? Write me the day and the time, and I will invite the group each week, or once:"
    )
    example = translations.gettext("/evening thursday at 9 pm")
    zones = translations.gettext("The time zone is {zone}; for another one, write its name behind the time: {example}")
    other = f"{example} Europe/Rome" if zone != "Europe/Rome" else f"{example} Europe/London"
    return Screen(
        joined(f"📅 {text}", f"<code>{example}</code>", zones.format(zone=zone, example=f"<code>{other}</code>"))
    )


def morning_or_evening_screen(possible: Sequence[WeeklyTime], game: str, language: Language) -> Screen:
    """Ask which of two times is meant; the first one is in the morning or at night."""
    translations = translations_in(language)
    hour = possible[0].clock
    if hour.hour < NIGHT_ENDS:
        text = translations.gettext("At {time} at night or in the afternoon?")
    else:
        text = translations.gettext("At {time} in the morning or in the evening?")
    shown = f"{hour.hour}" if not hour.minute else f"{hour.hour}:{hour.minute:02}"
    buttons = tuple(
        Button(f"{at.clock:%H:%M}", callback_data.FixEvening(at.weekday, at.minute, game, None)) for at in possible
    )
    return Screen(f"📅 {text.format(time=shown)}", (buttons,))


def fix_screen(
    at: WeeklyTime, zone: str, moment: float, game: str, games: Sequence[GameInfo], language: Language
) -> Screen:
    """Ask for the game of a new evening, and whether it is weekly."""
    translations = translations_in(language)
    when, day = time_of(moment, zone, language), DAYS[language][at.weekday]
    city = get_timezone_location(zone, locale=language, return_city=True)
    text = translations.gettext("An evening of cards on {when} ({city} time). Which game, and how often?")
    choices = [
        choice(
            game_title(offered_game, language),
            callback_data.FixEvening(at.weekday, at.minute, offered_game.game, None),
            chosen=offered_game.game == game,
        )
        for offered_game in games
        if offered_game.game in GAME_SCREENS
    ]
    weekly = Button(
        translations.gettext("Every {day}").format(day=day),
        callback_data.FixEvening(at.weekday, at.minute, game, weekly=True),
        style="success",
    )
    once = Button(
        translations.gettext("This time only"), callback_data.FixEvening(at.weekday, at.minute, game, weekly=False)
    )
    return Screen(f"📅 {text.format(when=when, city=city)}", (*in_rows(choices, 2), (weekly, once)))


def fixed_screen(game: GameInfo, moment: float, zone: str, weekly: bool, language: Language) -> Screen:  # noqa: FBT001
    """Return the screen of a group's plan."""
    translations = translations_in(language)
    text = translations.gettext("Next evening: {when}.")
    if weekly:
        text = translations.gettext("An evening every week; the next one is on {when}.")
    drop = Button(translations.gettext("No more evenings"), callback_data.DropEvenings())
    return Screen(
        joined(f"📅 {bold_title(game, language)}", text.format(when=time_of(moment, zone, language))), ((drop,),)
    )


def dropped_screen(language: Language) -> Screen:
    """Return the message that the group's evenings have been cancelled."""
    text = translations_in(language).gettext("No evening is fixed any more.")
    return Screen(f"📅 {text}")


# --- the invitation, whose message the tables replace


def evening_screen(view: EveningView, language: Language) -> Screen:
    """Return the message of an evening: the invitation, the reminder, or the tables."""
    translations = translations_in(language)
    title = f"🍷 {bold_title(view.game, language)}"
    when = time_of(view.evening.starts, view.evening.zone, language)
    match view.evening.state:
        case "off":
            why = translations.gettext("The evening is called off.")
            if view.now >= view.evening.starts:
                why = translations.gettext("There were too few of you: see you next time.")
            return Screen(joined(title, when, why))
        case "gathering":
            return Screen(joined(title, *_invitation(view, when, translations)), _answers(view, translations))
        case _:
            return _tables_screen(view, title, translations)


def _invitation(view: EveningView, when: str, translations: Translations) -> tuple[str, ...]:
    if view.evening.ring(view.now) == "reminder":
        text = translations.gettext("We start soon: {when}.").format(when=when)
        who = _names([mention(user, view.names[user]) for user in view.coming if user in view.names], translations)
    else:
        text = translations.gettext("You are invited: {when}. Who is in?").format(when=when)
        who = _names([*map(bold, view.named(view.coming))], translations)
    staying = _names([*map(plain, view.named(view.staying))], translations)
    missing = translations.gettext("Nobody is in yet.")
    return (
        text,
        in_lines(f"🪑 {who or missing}", f"🛋 {staying}" if staying else ""),
        translations.gettext("I make up the tables then; computers take the empty seats."),
    )


def _names(names: Sequence[str], translations: Translations) -> str:
    """Return names as an enumeration, shortened if there are many."""
    *first, last = at_most(names, MOST_NAMES, translations) or [""]
    return listed(names, translations) if len(names) <= MOST_NAMES else f"{', '.join(first)} {last}"


def _answers(view: EveningView, translations: Translations) -> Rows:
    ref = view.evening.ref
    comes = Button(translations.gettext("Count me in"), callback_data.ComeToEvening(ref, comes=True), style="success")
    stays = Button(translations.gettext("Not tonight"), callback_data.ComeToEvening(ref, comes=False))
    return ((comes, stays),)


def _tables_screen(view: EveningView, title: str, translations: Translations) -> Screen:
    number = len(view.evening.tables)
    tables = view.evening.tables[-1]
    heading = translations.gettext("Round {n}").format(n=number) if number > 1 else translations.gettext("Here we go!")
    lines = [_table_line(view, table, translations, several=len(tables) > 1) for table in tables]
    text = joined(f"{title} · {heading}", in_lines(*lines), _fingerprints(view, translations))
    return Screen(text, _between_rounds(view, translations))


def _fingerprints(view: EveningView, translations: Translations) -> str:
    """Return the shuffles' fingerprints in a collapsed quotation."""
    if not view.fingerprints:
        return ""
    what = translations.gettext("Fingerprint of the shuffle, fixed before the deal:")
    several = len(view.fingerprints) > 1
    lines = (
        f"{view.letters.get(ref, '') if several else ''} <code>{value}</code>".strip()
        for ref, value in view.fingerprints.items()
    )
    return f"<blockquote expandable>{in_lines(what, *lines)}</blockquote>"


def _table_line(view: EveningView, table: PlannedTable, translations: Translations, *, several: bool) -> str:
    names = [*map(bold, view.named(table.people))]
    computers = table.seats - len(table.people)
    if computers > 0:
        names.append("🤖" if computers == 1 else f"{computers} 🤖")
    letter = view.letters.get(table.ref, "") if several else ""
    return f"{f'{bold(letter)} · ' if letter else '🃏 '}{listed(names, translations)}"


def _between_rounds(view: EveningView, translations: Translations) -> Rows:
    """Return the buttons of a round: join or leave, and after its matches also another round or the end."""
    evening = view.evening
    if evening.state != "playing":
        return ()
    rounds = len(evening.tables)
    people = (
        Button(translations.gettext("Deal me in next round"), callback_data.ComeToEvening(evening.ref, comes=True)),
        Button(translations.gettext("I'm done for tonight"), callback_data.ComeToEvening(evening.ref, comes=False)),
    )
    if view.playing or evening.begun < rounds:
        return (people,)
    again = Button(translations.gettext("Another round"), callback_data.NextRound(evening.ref, rounds), style="success")
    last = Button(
        translations.gettext("Last round, by the standings"),
        callback_data.NextRound(evening.ref, rounds, by_standing=True),
    )
    end = Button(translations.gettext("That's it for tonight"), callback_data.EndEvening(evening.ref))
    return (people, (again,), *(((last,),) if len(evening.tables[-1]) > 1 else ()), (end,))


# --- the summary


def summary_screen(view: EveningView, language: Language, *, picture: bool = True) -> Screen | None:
    """Return the summary of an evening so far; None before its first finished match."""
    summary, translations = view.summary, translations_in(language)
    if summary is None or not summary.scores:
        return None
    when = bold(day_of(local(view.evening.starts, view.evening.zone), language))
    text = joined(
        f"🌙 {bold_title(view.game, language)} · {when}",
        _winners(view, summary, translations),
        in_lines(*at_most(score_lines(summary.scores, view.names, translations), MOST_SCORES, translations)),
        in_lines(*_remarks(view, summary, translations)),
        _next(view, language),
    )
    photo = _podium(view, summary, translations) if picture and fits_caption(text) else ()
    return Screen(text, (), photo)


def _winners(view: EveningView, summary: Summary, translations: Translations) -> str:
    names = [*map(bold, view.named([leader.person for leader in leaders(summary.scores)]))]
    text = translations.ngettext("{names} wins the evening!", "{names} win the evening!", len(names))
    if view.evening.state == "playing":
        text = translations.ngettext("{names} is ahead.", "{names} are ahead.", len(names))
    return f"🏆 {text.format(names=listed(names, translations))}" if names else ""


def score_lines(scores: Sequence[Score], names: Mapping[int, str], translations: Translations) -> list[str]:
    """Return a line for the score of each person whose name is known."""
    lines = []
    for score, place in zip(scores, placed(scores), strict=True):
        if score.person in names:
            mark = medal(place) if place < 3 and score.points else place_number(place)
            lines.append(f"{mark} {bold(names[score.person])} · {_score(score, translations)}")
    return lines


def _score(score: Score, translations: Translations) -> str:
    text = translations.ngettext("{n} win in {all}", "{n} wins in {all}", score.wins)
    return f"{points(score.points, translations)} · {text.format(n=score.wins, all=score.matches)}"


def _remarks(view: EveningView, summary: Summary, translations: Translations) -> list[str]:
    best = translations.gettext("The best hand: {name}, with {points} more than anybody else")
    unluckiest = translations.gettext("The unluckiest hand: {name}, only {points} from the first")
    return [
        _streak(view, summary.streak, translations),
        _duel(view, summary.duel, translations),
        _hand(view, summary.best, f"✨ {best}", translations),
        _hand(view, summary.unluckiest, f"🌧 {unluckiest}", translations),
    ]


def _streak(view: EveningView, streak: tuple[int, int] | None, translations: Translations) -> str:
    if streak is None or streak[0] not in view.names:
        return ""
    text = translations.gettext("{name} has won {n} matches in a row")
    return f"🔥 {text.format(name=bold(view.names[streak[0]]), n=streak[1])}"


def _duel(view: EveningView, duel: Duel | None, translations: Translations) -> str:
    if duel is None or not {duel.first, duel.second} <= view.names.keys():
        return ""
    text = translations.gettext("{first} and {second}: {before} to {behind}")
    first, second = bold(view.names[duel.first]), bold(view.names[duel.second])
    return f"⚔️ {text.format(first=first, second=second, before=duel.before, behind=duel.behind)}"


def _hand(view: EveningView, hand: NotableHand | None, text: str, translations: Translations) -> str:
    if hand is None or hand.person not in view.names:
        return ""
    won = texts_of(view.game.game).points(hand.points, translations)
    return text.format(name=bold(view.names[hand.person]), points=won)


def _next(view: EveningView, language: Language) -> str:
    if view.following is None:
        return ""
    text = translations_in(language).gettext("Next evening: {when}.")
    return f"📅 {text.format(when=time_of(view.following, view.evening.zone, language))}"


def _podium(view: EveningView, summary: Summary, translations: Translations) -> Podium:
    shown = [pair for pair in zip(summary.scores, placed(summary.scores), strict=True) if pair[0].person in view.names]
    places = (
        PodiumPlace(place + 1, view.names[score.person], points(score.points, translations))
        for score, place in shown[:IN_PICTURE]
    )
    return Podium(summary.cards or FACE_DOWN[0], tuple(places))
