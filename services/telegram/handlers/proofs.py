"""The proof of a match's shuffle, which its result offers behind a button."""

from locanda.translations import Language
from services.telegram import callback_data
from services.telegram.handlers.callbacks import on_button
from services.telegram.handlers.context import BotContext, ButtonPress, Reply
from services.telegram.screens.results import proof_screen
from services.telegram.screens.screen import Screen
from services.telegram.sending.messages import Address
from services.telegram.tables.lookup import ActionRefusedError


async def proof_of(context: BotContext, ref: str, language: Language, match: int | None = None) -> Screen:
    """Return the proof of a table's match, which must be over: of the one with this number, or of the last one."""
    chat_table = await context.tables.lookup.chat_table(ref)
    table = await context.tables.lookup.public_view(chat_table)
    if table is None or table.match.result is None or match not in {None, table.match.number}:
        raise ActionRefusedError("stale")
    model = await context.renderer.public_model(chat_table, table)
    outcome = await context.repositories.shuffles.outcome(ref, table.id, table.match.number)
    return proof_screen(model, outcome, language)


@on_button(callback_data.ShowProof)
async def show_proof(context: BotContext, press: ButtonPress, data: callback_data.ShowProof) -> Reply:
    """Send the proof to the private chat, so that the group's chat stays readable."""
    screen = await proof_of(context, data.ref, press.person.language, data.match)
    if not press.private:
        return Reply(url=context.link(f"proof_{data.ref}"))
    context.outbox.send(Address(press.chat, press.thread), screen)
    return Reply()
