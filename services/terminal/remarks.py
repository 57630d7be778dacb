"""Remarks at the table: commands to make a remark, and to mute the remarks of other people."""

from locanda.games.base import N_
from locanda.messages import SaidRemark, Table
from locanda.texts.remarks import ONE_HIDDEN, ONE_SHOWN, all_remarks, said_text

from .board import names_of
from .saved_seats import SavedSeats
from .session import Session

SAY = ("say", "parola")
MUTE = ("mute", "zitti")
HIDDEN, SHOWN = N_("What others say is hidden."), N_("What others say is shown.")
NOBODY = N_("Nobody at this table is called {name}.")


def print_remark(session: Session, table: Table, said: SaidRemark, seats: SavedSeats | None = None) -> None:
    """Print a remark, unless the person has muted its speaker."""
    if said.seat < len(table.seats) and (
        said.seat == table.you or not (seats and seats.mutes(table.seats[said.seat].name))
    ):
        session.output.items([said_text(said, names_of(table), session.translations)])


def follow_names(seats: SavedSeats, before: Table, after: Table) -> None:
    """Keep people muted after they have been renamed."""
    for event in after.events:
        if event["type"] == "renamed" and seats.mutes_by_name(before.seats[event["seat"]].name):
            seats.mute_one(event["name"], on=True)


async def handle_say(session: Session, table: Table, token: str, chosen: str) -> None:
    """Make the remark with a typed number; without a number, list the remarks."""
    remarks = all_remarks(session.translations)
    if chosen.isdecimal() and 1 <= int(chosen) <= len(remarks) and table.you is not None:
        await session.engine.say(table.id, table.you, token, remarks[int(chosen) - 1].remark)
        return
    command = session.gettext("say")
    session.output.rows(
        [(f"{command} {number}", remark.sign or remark.text) for number, remark in enumerate(remarks, 1)]
    )


def toggle_muted(session: Session, seats: SavedSeats, table: Table, chosen: str) -> None:
    """Mute or unmute everybody else, or one person by name, at all tables."""
    name = next((seat.name for seat in table.seats if seat.name.casefold() == chosen), None)
    if chosen and name is None:
        session.say(NOBODY, name=chosen)
        return
    if name is None or seats.muted:
        seats.mute(on=not seats.muted)
        session.say(HIDDEN if seats.muted else SHOWN)
        return
    seats.mute_one(name, on=not seats.mutes(name))
    session.say(ONE_HIDDEN if seats.mutes(name) else ONE_SHOWN, name=name)
