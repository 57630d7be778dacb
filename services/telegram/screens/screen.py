"""A screen: the text of a message and the buttons under it."""

from typing import Literal

from msgspec import Struct

from services.telegram.buttons import AnyTap

TEXT_LIMIT = 4096
"""Characters of a message after entities (Bot API, sendMessage)."""
ALERT_LIMIT = 200
"""Characters of an alert or toast (Bot API, answerCallbackQuery)."""

Style = Literal["primary", "success", "danger"]


class Button(Struct, frozen=True):
    """A button: its label, and what it stands for or the page it opens."""

    label: str
    tap: AnyTap | None = None
    url: str | None = None
    style: Style | None = None


Rows = tuple[tuple[Button, ...], ...]


class Screen(Struct, frozen=True):
    """A message as a person sees it; the text is Telegram's HTML."""

    text: str
    rows: Rows = ()


def joined(*blocks: str) -> str:
    """Return the blocks that say something, an empty line between them."""
    return "\n\n".join(block for block in blocks if block)


def in_rows(buttons: list[Button], width: int) -> Rows:
    """Return the buttons in rows of at most this width, as even as can be."""
    if not buttons:
        return ()
    rows = -(-len(buttons) // width)
    width = -(-len(buttons) // rows)
    return tuple(tuple(buttons[at : at + width]) for at in range(0, len(buttons), width))
