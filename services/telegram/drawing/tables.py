"""Contents of a table's messages, computed from `TableFacts`. No I/O.

A slot is the purpose of a message, such as the lobby, a deal or a person's hand. Each slot has one message at a time.
"""

from collections.abc import Iterator

from msgspec import structs

from locanda.messages import Table
from locanda.texts.options import most_players, summary
from services.telegram.drawing.facts import TableFacts
from services.telegram.drawing.hands import Drawn, Shown, hands, hands_of_gone
from services.telegram.play.timeline import without_remarks
from services.telegram.records import ClosingSlot, DealEndSlot, DealSlot, LobbySlot, MatchEndSlot, TableSlot
from services.telegram.screens.lobby import Lobby, closed_screen, lobby_screen, options_screen, started_screen
from services.telegram.screens.notices import confirm_close_screen
from services.telegram.screens.results import deal_over_screen, match_over_screen
from services.telegram.screens.screen import Wanted
from services.telegram.screens.table import TableViewModel, table_screen

MATCH_OVER = "over"
"""Notification reason of a match's result, which asks who plays another match."""


def wanted_messages(facts: TableFacts, shown: Shown, drawn: Drawn) -> dict[TableSlot, Wanted]:
    """Return the wanted content of a table's messages; messages left out stay as they are.

    `shown` has the records of the messages in the chat; `drawn` caches contents that few moves change.
    """
    return dict(_all(facts, shown, drawn))


def _all(facts: TableFacts, shown: Shown, drawn: Drawn) -> Iterator[tuple[TableSlot, Wanted]]:
    yield from hands_of_gone(facts, shown)
    in_chat = facts.chat_table.alone or facts.group.present
    table = facts.table
    if facts.chat_table.closed:
        if not facts.chat_table.alone:
            yield from _closed(facts, shown)
    elif table is None or table.status == "open":
        if in_chat and not facts.chat_table.alone and not facts.chat_table.evening:
            screen = options_screen if facts.options_open else lobby_screen
            yield LobbySlot(facts.chat_table.ref), Wanted(screen(_lobby(facts, table), facts.language))
    elif table.deal is not None:
        model = _model(facts, table)
        if in_chat:
            yield from _in_chat(facts, model, shown, drawn)
        yield from hands(facts, model, shown, drawn)


# --- the lobby


def _lobby(facts: TableFacts, table: Table | None) -> Lobby:
    chat_table, game = facts.chat_table, facts.game
    options = chat_table.options if table is None else table.options
    return Lobby(
        ref=chat_table.ref,
        game=game,
        options=options,
        max_seats=(table and table.max_seats) or most_players(game, options),
        turn_seconds=(chat_table.seconds or None) if table is None else table.turn_seconds,
        version=chat_table.drafts if table is None else table.version,
        letter=facts.letter,
        app=facts.links.in_group(chat_table.ref),
        seats=() if table is None else table.seats,
        host=None if table is None else table.host,
        differing=tuple(summary(game, options, facts.language)),
        commitment="" if table is None else table.match.commitment,
        substitute_level="medium" if table is None else table.substitute_level,
        hints=table is not None and table.hints,
    )


def _started(facts: TableFacts, table: Table, drawn: Drawn) -> Wanted:
    """Return the lobby's message after the first match has started; cached, because few moves change it."""
    slot, key = LobbySlot(facts.chat_table.ref), (table.id, table.seats, facts.language, facts.letter)
    if slot not in drawn or drawn[slot][0] != key:
        drawn[slot] = key, Wanted(started_screen(_lobby(facts, table), facts.language), create=False)
    return drawn[slot][1]


def _closed(facts: TableFacts, shown: Shown) -> Iterator[tuple[TableSlot, Wanted]]:
    """Yield the message that says that the table is closed; it replaces the last deal's message, or the lobby."""
    deals = (slot for slot in shown if isinstance(slot, DealSlot))
    last = max(deals, key=lambda slot: (slot.match, slot.deal), default=LobbySlot(facts.chat_table.ref))
    yield last, Wanted(closed_screen(_lobby(facts, None), facts.language, facts.closers), create=False)


# --- the table in play, and results


def public_model(facts: TableFacts, table: Table) -> TableViewModel:
    """Return the view model of a table for spectators."""
    return TableViewModel(
        ref=facts.chat_table.ref,
        game=facts.game,
        table=table,
        now=facts.now,
        letter=facts.letter,
        alone=facts.chat_table.alone,
        evening=bool(facts.chat_table.evening),
    )


def _model(facts: TableFacts, table: Table) -> TableViewModel:
    unreachable = (person.table.you for person in facts.people if not person.reachable)
    return structs.replace(
        public_model(facts, table),
        app=facts.links.in_group(facts.chat_table.ref),
        turns=tuple(facts.turns),
        unreachable=frozenset(seat for seat in unreachable if seat is not None),
    )


def _in_chat(
    facts: TableFacts, model: TableViewModel, shown: Shown, drawn: Drawn
) -> Iterator[tuple[TableSlot, Wanted]]:
    """Yield the messages in the table's chat; in a private chat, only results and questions."""
    ref, table, match, language = model.ref, model.table, model.table.match, facts.language
    if not facts.chat_table.alone:
        if not facts.group.remarks:
            model = structs.replace(model, turns=without_remarks(model.turns, range(len(table.seats))))
        if match.number == match.deal == 1:
            yield LobbySlot(ref), _started(facts, table, drawn)
        if match.number not in facts.over:
            yield DealSlot(ref, match.number, match.deal), Wanted(table_screen(model, language), silent=True)
    if facts.closing is not None and ClosingSlot(ref, match.number) in shown:
        yield ClosingSlot(ref, match.number), Wanted(confirm_close_screen(facts.closing, language))
    yield from _results(facts, table, shown)


def _results(facts: TableFacts, table: Table, shown: Shown) -> Iterator[tuple[TableSlot, Wanted]]:
    """Yield the results of deals not sent yet, of the last match, and (without buttons) of the match before the last.

    The message of a deal is edited into its result. Only a result that asks for a rematch is sent with sound.
    """
    ref, language, match = facts.chat_table.ref, facts.language, table.match
    for past in match.past_deals:
        slot, deal = DealEndSlot(ref, match.number, past.deal), DealSlot(ref, match.number, past.deal)
        ended_match = match.result is not None and past.deal == match.deal
        if not ended_match and (slot not in shown or shown[slot].id is None or deal in shown):
            screen = deal_over_screen(public_model(facts, table), past, language)
            yield slot, Wanted(screen, takes=deal, silent=True)
    for number, over in facts.over.items():
        latest = number == match.number and table.status == "over"
        result = MatchEndSlot(ref, number)
        if latest or result in shown:
            over_now = structs.replace(over, rematch=table.rematch if latest else None)
            said = tuple(facts.said) if latest and facts.group.remarks else ()
            screen = match_over_screen(
                structs.replace(public_model(facts, over_now), said=said),
                language,
                rematch=latest,
                outcome=facts.outcomes.get(number),
                picture=facts.group.pictures and not facts.chat_table.alone,
            )
            deal = DealSlot(ref, number, over.match.deal)
            known = None if deal in shown else shown.get(result)
            ring = known.ring if known else MATCH_OVER if screen.rows and not facts.chat_table.evening else ""
            yield result, Wanted(screen, ring, create=latest, takes=deal, silent=not ring)
