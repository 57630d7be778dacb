"""Screens of results: the end of a deal and of a match."""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from locanda.cards import CODES as FRENCH
from locanda.cards.cuccu import CODES as CUCCU
from locanda.games.base import N_, Result
from locanda.messages import JsonObject, PastDeal, Table
from locanda.texts import results
from locanda.texts.cards import JOKER
from locanda.texts.chat import bold
from locanda.texts.games import texts_of
from locanda.texts.remarks import said_text
from locanda.texts.rematch import rematch_lines
from locanda.texts.table import event_text
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.play.ratings import RatingChange
from services.telegram.records import FACE_DOWN, Podium, PodiumPlace, ShuffleOutcome
from services.telegram.screens.screen import Button, Rows, Screen, fits_caption, in_lines, joined, moment
from services.telegram.screens.table import TableViewModel, title

DRAWN = {*FRENCH, *CUCCU, JOKER}
"""The cards that have pictures."""
ALL_ANSWER = timedelta(minutes=1)
"""Time limit for people to answer whether they play another match."""
MOST_CARDS = 5
"""Maximum number of cards in the picture of a match's end."""


def deal_over_screen(model: TableViewModel, past: PastDeal, language: Language) -> Screen:
    """Return the message at the end of a deal that does not end the match."""
    translations = translations_in(language)
    over = (
        translations.gettext("Deal {n} of {all} is over.") if model.deals else translations.gettext("Deal {n} is over.")
    )
    how = event_text(model.table.game, past.over, [bold(name) for name in model.names], translations)
    text = joined(
        title(model, language),
        over.format(n=past.deal, all=model.deals),
        how,
        ranking(model, _result_of(past), translations),
        _standing(model, past.points, translations) if past.deal > 1 else "",
    )
    return Screen(text)


def _standing(model: TableViewModel, points: Sequence[int], translations: Translations) -> str:
    standing = results.standing(model.table.game, points, model.names)
    so_far = translations.gettext("In the match so far:")
    return "\n".join([so_far, *(f"{bold(name)} {number}" for name, number in standing)])


def match_over_screen(
    model: TableViewModel,
    language: Language,
    *,
    rematch: bool = True,
    outcome: ShuffleOutcome | None = None,
    picture: bool = False,
) -> Screen:
    """Return the message at the end of a match; `outcome` is the result of its shuffle check, once that is done.

    `rematch` is false once the next match has begun: then there are no buttons, and the text contains the proof,
    because the engine's table now has the next match's proof. A picture is added only if the text stays short enough
    for a caption, whatever the check's outcome. Telegram cannot remove a picture later.
    """
    translations = translations_in(language)
    result = model.table.match.result
    if result is None:
        return Screen(joined(title(model, language), translations.gettext("The table is closed.")))
    outcomes: tuple[ShuffleOutcome | None, ...] = (None, *OUTCOMES)
    proved = {check: _match_over_text(model, result, proof(model, check, translations), language) for check in outcomes}
    checked = "" if outcome is None else translations.gettext(OUTCOMES[outcome])
    text = proved[outcome]
    if rematch:
        text = joined(_match_over_text(model, result, checked, language), _who_stays(model, translations))
    photo = podium(model, result, translations) if picture and all(map(fits_caption, proved.values())) else ()
    spoken = joined(text, _said(model, translations))
    text = text if photo and not fits_caption(spoken) else spoken
    return Screen(text, _after_match(model, translations) if rematch else (), photo)


def _match_over_text(model: TableViewModel, result: Result, shuffle: str, language: Language) -> str:
    return joined(f"🏁 {title(model, language)}", *_outline(model, result, translations_in(language)), shuffle)


def own_result_screen(model: TableViewModel, language: Language) -> Screen:
    """Return a player's hand message at the end of a match in a group."""
    translations = translations_in(language)
    result = model.table.match.result
    if result is None:
        return Screen(joined(title(model, language), translations.gettext("The match is over.")))
    rating = "" if model.rating is None else _rating(model.rating, translations)
    text = joined(
        f"🏁 {title(model, language)}",
        *_outline(model, result, translations),
        rating,
        _who_stays(model, translations),
        _said(model, translations),
    )
    below: tuple[Button, ...] = (Button("💬", callback_data.OfferRemarks(model.ref)),)
    if model.link:
        below = (Button(translations.gettext("Back to the group"), url=model.link), *below)
    return Screen(text, (*_after_match(model, translations), below))


def _said(model: TableViewModel, translations: Translations) -> str:
    """Return the remarks since the end of the match, a line each."""
    names = [bold(name) for name in model.names]
    return in_lines(*(said_text(remark, names, translations) for remark in model.said if remark.seat < len(names)))


def _who_stays(model: TableViewModel, translations: Translations) -> str:
    """Return who plays another match, who has not answered, and the time left; empty before the first answer."""
    rematch = model.table.rematch
    if rematch is None or model.alone:
        return ""
    names, newcomers = [bold(name) for name in model.names], [bold(name) for name in rematch.newcomers]
    lines = rematch_lines(model.table, names, translations, newcomers)
    if rematch.deadline is not None:
        time = moment(rematch.deadline, rematch.deadline - ALL_ANSWER, translations)  # the same in every drawing
        lines.append(
            translations.gettext("⏳ {time}: if you have not answered by then, you sit this one out.").format(time=time)
        )
    return "\n".join(lines)


def _rating(change: RatingChange, translations: Translations) -> str:
    gain = f"{change.gain:+}".replace("-", "−") if change.gain else "±0"
    text = translations.gettext("⭐ Your rating in the group: {points} ({gain})")
    if change.after.provisional:
        text = translations.gettext("⭐ Your rating in the group: {points} ({gain}), still uncertain")
    return text.format(points=f"{bold(str(change.after.points))} ± {change.after.margin}", gain=gain)


def _outline(model: TableViewModel, result: Result, translations: Translations) -> tuple[str, ...]:
    """Return the winners with the ending, the places, and the points of the last of several deals."""
    names = [bold(name) for name in model.names]
    how = results.ending(model.table, _result_of_last_deal(model) or result, names, translations)
    return (
        f"<b>{results.winners(result, names, translations)}</b>" + (f"\n{how}" if how else ""),
        ranking(model, result, translations),
        _last_deal(model, translations),
    )


def podium(model: TableViewModel, result: Result, translations: Translations) -> Podium:
    """Return the picture of the end of a match."""
    placed = results.ranking(model.table.game, result, model.names, translations)
    numbers = (place + 1 for place, seats in results.places(result) for _ in seats)
    places = (PodiumPlace(place, row.name, row.points) for place, row in zip(numbers, placed, strict=True))
    return Podium(last_cards(model.table, result), tuple(places))


def last_cards(over: Table, result: Result) -> tuple[str, ...]:
    """Return the cards of the play that ended the match; a winner's play is preferred."""
    plays = [_cards_in(event) for event in over.events if event.get("seat") in result.ranking[0]]
    plays = [cards for cards in plays if cards] or [_cards_in(event) for event in over.events]
    return max(plays, key=len, default=())[-MOST_CARDS:] or FACE_DOWN[0]


def _cards_in(event: JsonObject) -> tuple[str, ...]:
    named = [*event.get("cards", ()), event.get("card")]
    return tuple(card for card in named if isinstance(card, str) and card in DRAWN)


def _result_of_last_deal(model: TableViewModel) -> Result | None:
    """Return the result of the match's last deal; None if the engine does not report it."""
    match = model.table.match
    return next((_result_of(past) for past in match.past_deals if past.deal == match.deal), None)


def _result_of(past: PastDeal) -> Result:
    return msgspec.convert(past.over["result"], Result)


def _last_deal(model: TableViewModel, translations: Translations) -> str:
    last = _result_of_last_deal(model)
    if last is None or model.table.match.deal < 2:
        return ""
    text = translations.gettext("In the last of {n} deals:").format(n=model.table.match.deal)
    points = texts_of(model.table.game).points
    return "\n".join(
        [text, *(f"{bold(model.names[seat])} {points(last.points[seat], translations)}" for seat in _seats(last))]
    )


def _seats(result: Result) -> list[int]:
    return [seat for seats in result.ranking for seat in seats]


def _after_match(model: TableViewModel, translations: Translations) -> Rows:
    ref, number = model.ref, model.table.match.number
    again: tuple[Button, ...] = (
        Button(translations.gettext("I'm in"), callback_data.PlayAgain(ref, number), style="success"),
        Button(translations.gettext("I'm out"), callback_data.StopPlaying(ref, number)),
    )
    if model.evening and not _somebody_stays(model.table):  # no rematch buttons: the evening has another round
        again = ()
    if model.alone:
        again = (Button(translations.gettext("Rematch"), callback_data.PlayAgain(ref, number), style="success"),)
    review = Button(translations.gettext("🔍 My moves"), callback_data.ReviewMatch(ref, number))
    shuffle = Button(translations.gettext("🔏 The proof"), callback_data.ShowProof(ref, number))
    return tuple(row for row in (again, (review, shuffle)) if row)


def _somebody_stays(table: Table) -> bool:
    """Return whether a person has agreed to a rematch at this table; the answers of computers do not count."""
    answers = () if table.rematch is None else table.rematch.answers
    return any(stays and seat.kind == "person" for stays, seat in zip(answers, table.seats, strict=False))


def ranking(model: TableViewModel, result: Result, translations: Translations) -> str:
    """Return the ranking with titles and points, best first; players who tie share a place."""
    placed = results.ranking(model.table.game, result, model.names, translations)
    return "\n".join(
        f"{row.mark} {bold(row.name)}{f', {row.title}' if row.title else ''} · {row.points}" for row in placed
    )


def proof_screen(model: TableViewModel, outcome: ShuffleOutcome | None, language: Language) -> Screen:
    """Return the message with the shuffle proof of a finished match."""
    translations = translations_in(language)
    heading = bold(translations.gettext("The proof of the shuffle"))
    return Screen(joined(f"🔏 {heading}", title(model, language), proof(model, outcome, translations)))


OUTCOMES: dict[ShuffleOutcome, str] = {
    "agreed": N_("✅ Deck checked, no tricks."),
    "different": N_(
        "❌ The shuffle is NOT right: the proofs do not match the fingerprint and the seeds that I kept from before!"
    ),
    "unchecked": N_("❔ I could not check the shuffle by myself."),
}


def proof(model: TableViewModel, outcome: ShuffleOutcome | None, translations: Translations) -> str:
    """Return the collapsed shuffle proof: the bot's own check, commitment, seed, and how to verify them."""
    match = model.table.match
    if match.server_seed is None:
        return ""
    how = translations.gettext(
        "The shuffle can be checked. Before the deal the server published the fingerprint (commitment), "
        "now it shows the secret (server seed). The cards follow from the secret and the players' seeds "
        "(client seeds): the program locanda-verify deals them again from the proof of a deal. Give it the fingerprint "
        "and the seeds as they were before the deal: a proof that is compared with nothing from before proves nothing."
    )
    facts = (
        (translations.gettext("Table"), model.table.id),
        (translations.gettext("Match"), str(match.number)),
        (translations.gettext("Fingerprint"), match.commitment),
        (translations.gettext("Secret"), match.server_seed),
    )
    lines = "\n".join(f"{name}: <code>{value}</code>" for name, value in facts)
    checked = "" if outcome is None else f"{translations.gettext(OUTCOMES[outcome])}\n"
    return f"<blockquote expandable>{checked}{how}\n{lines}</blockquote>"
