"""Contents of the hand messages: one per person at a table, with the reason to notify them. No I/O."""

from collections.abc import Iterator, Mapping, MutableMapping

from msgspec import structs

from locanda.translations import translations_in
from services.telegram.drawing.facts import SeatedPerson, TableFacts
from services.telegram.play.cards import grid_of
from services.telegram.play.timeline import without_remarks
from services.telegram.play.turns import next_reminder, reminders_due, reminders_of, turn_of, with_reminders
from services.telegram.records import NO_ID, DealSlot, HandGrid, HandSlot, MatchEndSlot, ShownMessage, TableSlot
from services.telegram.screens.hand import content_while_waiting, hand_screen, leave_screen, left_screen, remark_rows
from services.telegram.screens.screen import Wanted
from services.telegram.screens.table import TableViewModel

Shown = Mapping[TableSlot, ShownMessage]
Drawn = MutableMapping[TableSlot, tuple[tuple[object, ...], Wanted]]
"""Cache of messages that few moves change, such as the hand of a person not on turn: inputs and content by slot."""


def hands(facts: TableFacts, model: TableViewModel, shown: Shown, drawn: Drawn) -> Iterator[tuple[HandSlot, Wanted]]:
    """Yield the contents of hands; `model` is the public view of the table.

    A hand whose view is newer than the public one is skipped: it is drawn with the next event.
    """
    for person in facts.people:
        if person.reachable and person.table.version == model.table.version:
            slot = HandSlot(facts.chat_table.ref, person.user)
            yield slot, _hand(facts, _own_model(facts, model, person, shown), person, shown.get(slot), drawn)


def hands_of_gone(facts: TableFacts, shown: Shown) -> Iterator[tuple[HandSlot, Wanted]]:
    """Yield the hands of people who have left the table."""
    place = "" if facts.chat_table.alone else facts.group.title
    for person in facts.gone:
        slot = HandSlot(facts.chat_table.ref, person.user)
        if slot in shown:
            # Closing a table removes everybody, so "removed" may be stored although the table was closed.
            why = "closed" if facts.chat_table.closed and person.why == "removed" else person.why
            screen = left_screen(place, why, person.language, facts.closers, photo=person.photos)
            yield slot, Wanted(screen, shown[slot].ring, create=False)


def next_alarm(facts: TableFacts, wanted: Mapping[TableSlot, Wanted]) -> float | None:
    """Return the time of a person's next reminder of their turn (Unix seconds), if any."""
    for person in facts.people:
        hand = wanted.get(HandSlot(facts.chat_table.ref, person.user))
        if hand is not None and person.reminders and _is_notified(facts, person):
            return next_reminder(person.table, hand.since, facts.now.timestamp())
    return None


def _own_model(facts: TableFacts, model: TableViewModel, person: SeatedPerson, shown: Shown) -> TableViewModel:
    alone = facts.chat_table.alone
    return structs.replace(
        model,
        table=person.table,
        place="" if alone else facts.group.title,
        app=facts.links.in_private(facts.chat_table.ref),
        link="" if alone else facts.group.link(_result_or_deal(model, shown)),
        rating=facts.ratings.get(person.user),
        passes=person.passes == "at_once",
        selected=person.selected,
        verdict=person.verdict,
        turns=without_remarks(model.turns, person.muted) if person.muted else model.turns,
        said=tuple(said for said in facts.said if said.seat not in person.muted),
    )


def _result_or_deal(model: TableViewModel, shown: Shown) -> int:
    """Return the id of the group's message with the match's result, or else with its current deal; 0 for neither."""
    ref, match = model.ref, model.table.match
    slots = MatchEndSlot(ref, match.number), DealSlot(ref, match.number, match.deal)
    return next((shown[slot].id or NO_ID for slot in slots if slot in shown and shown[slot].id), NO_ID)


def _hand(
    facts: TableFacts, model: TableViewModel, person: SeatedPerson, shown: ShownMessage | None, drawn: Drawn
) -> Wanted:
    slot, before = HandSlot(model.ref, person.user), shown or ShownMessage()
    ring, since = _ring(facts, person, before)
    model = structs.replace(model, reminders=reminders_of(ring) if _is_notified(facts, person) else 0)
    content = content_while_waiting(model, translations_in(person.language))
    key = None if content is None or person.asked else (ring, person.language, person.photos, *content)
    if key is not None and slot in drawn and drawn[slot][0] == key:
        return drawn[slot][1]
    grid = _grid(model, ring, before.grid)
    screen = hand_screen(structs.replace(model, grid=grid.places), person.language, photo=person.photos)
    if person.asked == "leave":
        screen = structs.replace(leave_screen(model, person.language), photo=screen.photo)
    if person.asked == "remark":
        muted = person.muted if person.remarks else None
        screen = structs.replace(screen, rows=remark_rows(model, muted, person.language))
    tells_result = shown is not None and not model.alone  # sent even if the person has deleted the hand
    wanted = Wanted(screen, ring, since, grid, create=tells_result or model.table.status == "playing")
    drawn.pop(slot, None)
    if key is not None:
        drawn[slot] = key, wanted
    return wanted


def _ring(facts: TableFacts, person: SeatedPerson, before: ShownMessage) -> tuple[str, float]:
    """Return the reason of a person's latest notification, and when the turn in that reason began.

    A new reason means a new message, with sound: one for each turn of the person and each reminder. People who are not
    notified of turns get one message for each deal.
    """
    if not _is_notified(facts, person):
        return _without_turn(facts, person, before.ring), before.since
    now, turn = facts.now.timestamp(), _turn(facts)
    since = before.since if turn_of(before.ring) == turn else now
    due = reminders_due(person.table, since, now) if person.reminders else 0
    return with_reminders(turn, before.ring, due), since


def _turn(facts: TableFacts) -> str:
    """Return a unique name of the current turn; it includes the version at which the turn began."""
    match = facts.table.match if facts.table else None
    return f"{match.number}.{match.deal}@{facts.turn_since}" if match else ""


def _is_notified(facts: TableFacts, person: SeatedPerson) -> bool:
    """Return whether a person is notified of their turns.

    They are not if they play alone (the chat is already open), if they are away, or if the bot passes for them.
    """
    table = person.table
    if table.status != "playing" or facts.chat_table.alone or table.you is None or table.deal is None:
        return False
    return table.deal.turn == table.you and not table.seats[table.you].away and person.passes == "never"


def _without_turn(facts: TableFacts, person: SeatedPerson, before: str) -> str:
    """Return the notification reason for a person not notified of turns: the deal, or the match if they play alone."""
    match = person.table.match
    if person.table.status != "playing":
        return before
    deal = f"{match.number}" if facts.chat_table.alone else f"{match.number}.{match.deal}"
    return before if before.partition("@")[0] == deal else deal


def _grid(model: TableViewModel, ring: str, before: HandGrid | None) -> HandGrid:
    """Return the layout of a hand's buttons: a card keeps its place within one message and deal."""
    message = f"{ring}/{model.table.match.deal}"
    kept = before.places if before is not None and before.message == message else ()
    return HandGrid(message, grid_of(model.table, kept))
