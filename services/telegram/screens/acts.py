"""What happened at a table, in words."""

from collections.abc import Sequence

import msgspec

from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.scene import Scene
from services.telegram.screens.text import bold
from shared import events
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.table import at_table

SHOWN = 4


def told(scene: Scene, words: Words) -> str:
    """Return the last few acts, a line each, oldest first."""
    lines = [act(scene.table.game, event, scene.names, words) for event in scene.acts]
    return "\n".join([f"<i>{line}</i>" for line in lines if line][-SHOWN:])


def act(game: str, event: JsonObject, names: Sequence[str], words: Words) -> str:
    """Return an event of the table or of its game in words; nothing where it is not worth telling."""
    marked = [bold(name) for name in names]
    try:
        return at_table(msgspec.convert(event, events.TableEvent), marked, words, bold)
    except msgspec.ValidationError:
        return DRAWINGS[game].act(event, marked, words)
