"""A chat as a person sees it, in plain text."""

from __future__ import annotations

import textwrap

from tests.emulator.state import Message, Notice, Room, User

WIDTH = 78


def render(room: Room, thread: int | None, viewer: User | None) -> str:
    """All that the viewer (None: everyone) sees now, with the toasts and alerts of the viewer, or of all."""
    lines: list[tuple[int, str]] = [
        (message.order, bubble(message))
        for message in room.messages
        if message.visible_to(viewer) and (thread is None or message.thread == thread)
    ]
    lines += [(notice.order, _notice(notice)) for notice in room.notices if viewer in {None, notice.user}]
    title = room.title if thread is None else f"{room.title} / {room.topics[thread]}"
    return "\n".join([f"═══ {title} ".ljust(WIDTH, "═"), *(text for _, text in sorted(lines))])


def bubble(message: Message) -> str:
    """One message: who, what, and the keyboard under it."""
    if message.service:
        return f"        · {message.line} ·"
    author = message.room.title if message.anonymous else message.author.name
    marks = "".join((" ✎" if message.edits else "", " 📌" if message.pinned else ""))
    only = f" (only {message.only_for.name} sees this)" if message.only_for else ""
    text = textwrap.indent(message.text, "    ").lstrip()
    rows = ["    " + " ".join(f"[ {button.text} ]" for button in row) for row in message.rows]
    return "\n".join([f"{author}{marks}{only}: {text}", *rows])


def _notice(notice: Notice) -> str:
    sign = "⚠" if notice.alert else "»"
    return textwrap.indent(f"{sign} {notice.user.name} alone reads: {notice.text}", "        ")
