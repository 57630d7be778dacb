"""Buttons of an open table, from the choice of the game to the start."""

from locanda.texts.options import changed, with_preset
from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.handlers.callbacks import TABLE, on_button
from services.telegram.handlers.context import BotContext, ButtonPress, Reply
from services.telegram.records import ChatTable, LobbySlot
from services.telegram.screens.computers import opponents_screen
from services.telegram.tables.bounds import OF_A_CHAT, require_fewer
from services.telegram.tables.lookup import ActionRefusedError


@on_button(callback_data.ChooseGame)
async def choose_game(context: BotContext, press: ButtonPress, data: callback_data.ChooseGame) -> None:
    """Replace the choice of games with a lobby, and seat the person if the bot may write to them."""
    await context.catalogue.known(data.game)
    opened = await context.repositories.chat_tables.find(data.ref)
    if opened is None:
        in_chat = await context.repositories.chat_tables.load(
            await context.repositories.chat_tables.in_chat(press.chat)
        )
        require_fewer(in_chat, OF_A_CHAT)
        if not press.private:
            await _require_none_waiting(context, in_chat, press.person.user)
    draft = ChatTable(data.ref, press.chat, press.thread, "", data.game, press.person.user, alone=press.private)
    if opened is not None and not await _is_unfinished(context, draft, opened):
        raise ActionRefusedError("stale")
    if press.private:
        await _practise(context, press, opened or draft, data)
        return
    if opened is None:
        await context.require_host(press.chat, press.person.user)
        # The message is recorded first, so that every drawing of the table edits it instead of sending a new one.
        await context.repositories.messages.record_id(LobbySlot(data.ref), press.message)
        await context.tables.setup.open(draft)
    else:
        await context.keep_newer(LobbySlot(data.ref), press)
    if press.person.reachable:
        await context.tables.seating.sit_unless_seated(data.ref, press.person)


async def _require_none_waiting(context: BotContext, in_chat: list[ChatTable], user: int) -> None:
    """Raise `ActionRefusedError` if a table that the person has opened still waits for players."""
    for chat_table in in_chat:
        if chat_table.opener == user and not (chat_table.evening or chat_table.over or chat_table.closed):
            table = await context.tables.lookup.public_view(chat_table)
            if table is None or table.status == "open":
                raise ActionRefusedError("one_waiting_table")


async def _is_unfinished(context: BotContext, draft: ChatTable, opened: ChatTable) -> bool:
    """Return whether a table was opened by an earlier delivery of this press that a crash interrupted."""
    same = (opened.chat, opened.game, opened.opener) == (draft.chat, draft.game, draft.opener)
    return same and (opened.alone or not await context.repositories.seats.tokens(draft.ref))


async def _practise(
    context: BotContext, press: ButtonPress, chat_table: ChatTable, data: callback_data.ChooseGame
) -> None:
    """Ask for the opponents, or start a match in the private chat. A repeated call continues an interrupted one."""
    ref, user = chat_table.ref, press.person.user
    game = await context.catalogue.known(data.game)
    if not data.computers:
        last = await context.repositories.chats.last_choice(press.chat, game.game)
        options = last.options if last is not None else {}
        options = options if data.preset is None else with_preset(game, options, data.preset)
        screen = opponents_screen(ref, game, press.person.language, options=options, preset=data.preset)
        context.outbox.edit(press.chat, press.message, screen)
        return
    setup = context.tables.setup
    if await context.repositories.chat_tables.find(ref) is None:
        await setup.open(chat_table)
        if data.preset is not None:
            preset = data.preset
            await setup.change_options(ref, lambda of, options: with_preset(of, options, preset))
    await context.tables.seating.sit_unless_seated(ref, press.person)
    table = await setup.fill(ref, 1 + data.computers, press.key, data.level)
    if table.status == "open":
        await context.tables.match.start(ref, user, table.version, f"{press.key}-start")
    context.outbox.delete(press.chat, press.message)


@on_button(callback_data.TakeSeat, on=TABLE)
async def take_seat(context: BotContext, press: ButtonPress, data: callback_data.TakeSeat) -> Reply:
    """Seat the person. If the bot may not write to them yet, open their private chat first."""
    translations = translations_in(press.person.language)
    chat_table = await context.tables.lookup.chat_table(data.ref)
    if not press.person.reachable:
        if await context.repositories.seats.token(data.ref, press.person.user) is not None:
            raise ActionRefusedError("already_seated")
        return Reply(url=context.link(f"sit_{data.ref}"))
    await context.tables.seating.sit(chat_table.ref, press.person)
    return Reply(translations.gettext("You are seated! Your cards will come to you in private."))


@on_button(callback_data.StandUp, on=TABLE)
async def stand_up(context: BotContext, press: ButtonPress, data: callback_data.StandUp) -> Reply:
    """Free the person's seat."""
    await context.tables.seating.stand(data.ref, press.person.user)
    return Reply(translations_in(press.person.language).gettext("You have got up."))


@on_button(callback_data.ChangeComputers, on=TABLE, seated=True)
async def change_computers(context: BotContext, press: ButtonPress, data: callback_data.ChangeComputers) -> None:
    """Add or remove a computer player."""
    await context.tables.setup.change_computer_players(data.ref, data.version, data.step, press.key)


@on_button(callback_data.RemovePlayer, on=TABLE)
async def remove_player(context: BotContext, press: ButtonPress, data: callback_data.RemovePlayer) -> None:
    """Remove a person from an open table; during a match, give an inactive person's hand to a computer player."""
    await context.tables.setup.remove_player(data.ref, press.person.user, data.version, data.seat, press.key)
    if await _is_nudge(context, press, data.ref):
        context.outbox.delete(press.chat, press.message)


async def _is_nudge(context: BotContext, press: ButtonPress, ref: str) -> bool:
    """Return whether the pressed button is on a nudge, which shows no state of the table."""
    return press.message not in (await context.repositories.messages.by_slot(ref)).values()


@on_button(callback_data.ShowOptions, on=TABLE, seated=True)
async def show_options(context: BotContext, _press: ButtonPress, data: callback_data.ShowOptions) -> None:
    """Show the options instead of the lobby."""
    context.tables.setup.show_options(data.ref, shown=True)


@on_button(callback_data.ShowLobby, on=TABLE)
async def show_lobby(context: BotContext, _press: ButtonPress, data: callback_data.ShowLobby) -> None:
    """Show the lobby again."""
    await context.tables.lookup.chat_table(data.ref)
    context.tables.setup.show_options(data.ref, shown=False)


@on_button(callback_data.SetOption, on=TABLE, seated=True)
async def set_option(context: BotContext, _press: ButtonPress, data: callback_data.SetOption) -> None:
    """Set an option."""
    context.tables.setup.show_options(data.ref, shown=True)
    try:
        await context.tables.setup.change_options(
            data.ref, lambda game, options: changed(game, options, data.name, data.value)
        )
    except LookupError:
        raise ActionRefusedError("unknown_button") from None


@on_button(callback_data.ApplyPreset, on=TABLE, seated=True)
async def apply_preset(context: BotContext, _press: ButtonPress, data: callback_data.ApplyPreset) -> None:
    """Set the options of a preset."""
    context.tables.setup.show_options(data.ref, shown=True)
    await context.tables.setup.change_options(data.ref, lambda game, options: with_preset(game, options, data.preset))


@on_button(callback_data.SetTime, on=TABLE, seated=True)
async def set_time(context: BotContext, _press: ButtonPress, data: callback_data.SetTime) -> None:
    """Set the time for a turn."""
    context.tables.setup.show_options(data.ref, shown=True)
    await context.tables.setup.set_time(data.ref, data.seconds)


@on_button(callback_data.ChangeLevel, on=TABLE, seated=True)
async def set_level(context: BotContext, _press: ButtonPress, data: callback_data.ChangeLevel) -> None:
    """Set the level of a computer player."""
    await context.tables.setup.set_level(data.ref, data.seat, data.level)


@on_button(callback_data.SetSubstitutes, on=TABLE, seated=True)
async def set_substitutes(context: BotContext, _press: ButtonPress, data: callback_data.SetSubstitutes) -> None:
    """Set the level of computers that play for people who left or are away."""
    await context.tables.setup.set_substitutes(data.ref, data.level)


@on_button(callback_data.SetHints, on=TABLE, seated=True)
async def set_hints(context: BotContext, _press: ButtonPress, data: callback_data.SetHints) -> None:
    """Allow or forbid hints."""
    await context.tables.setup.set_hints(data.ref, allowed=data.allowed)


@on_button(callback_data.StartMatch, on=TABLE)
async def start_match(context: BotContext, press: ButtonPress, data: callback_data.StartMatch) -> Reply:
    """Start the match."""
    await context.tables.match.start(data.ref, press.person.user, data.version, press.key)
    return Reply(translations_in(press.person.language).gettext("The cards are being dealt!"))
