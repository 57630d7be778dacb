"""What happened at a table, in words."""

from collections.abc import Sequence

import msgspec

from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.scene import Scene
from services.telegram.screens.text import bold
from shared import events
from shared.messages import JsonObject
from shared.translate import Words

SHOWN = 4


def told(scene: Scene, words: Words) -> str:
    """Return the last few acts, a line each, oldest first."""
    lines = [act(scene.table.game, event, scene.names, words) for event in scene.acts]
    return "\n".join([f"<i>{line}</i>" for line in lines if line][-SHOWN:])


def act(game: str, event: JsonObject, names: Sequence[str], words: Words) -> str:
    """Return an event of the table or of its game in words; nothing where it is not worth telling."""
    try:
        return _at_table(msgspec.convert(event, events.TableEvent), names, words)
    except msgspec.ValidationError:
        return DRAWINGS[game].act(event, names, words)


def _at_table(event: events.TableEvent, names: Sequence[str], words: Words) -> str:
    match event:
        case events.Dealt(_, dealer):
            return words.gettext("{name} deals").format(name=bold(names[dealer]))
        case events.Replaced(_, name):
            return words.gettext("{name} has left: a computer player takes over").format(name=bold(name))
        case events.TimedOut(seat):
            return words.gettext("Time is up for {name}").format(name=bold(names[seat]))
        case events.Away(seat):
            return words.gettext("{name} is away: a computer player steps in").format(name=bold(names[seat]))
        case events.Returned(seat):
            return words.gettext("{name} is back").format(name=bold(names[seat]))
        case _:
            return ""
