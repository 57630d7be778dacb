"""What happens at a table beside its game, in words."""

from collections.abc import Callable, Sequence

from shared import events
from shared.translate import Words


def at_table(event: events.TableEvent, names: Sequence[str], words: Words, mark: Callable[[str], str] = str) -> str:
    """Return what happened beside the game, in words; nothing where it is not worth telling; `mark` marks up a name."""
    match event:
        case events.Dealt(_, dealer):
            return words.gettext("{name} deals").format(name=names[dealer])
        case events.Replaced(_, name):
            return words.gettext("{name} has left: a computer player takes over").format(name=mark(name))
        case events.TimedOut(seat):
            return words.gettext("Time is up for {name}").format(name=names[seat])
        case events.Away(seat):
            return words.gettext("{name} is away: a computer player steps in").format(name=names[seat])
        case events.Returned(seat):
            return words.gettext("{name} is back").format(name=names[seat])
        case _:
            return ""
