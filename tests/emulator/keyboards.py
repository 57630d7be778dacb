"""Inline keyboards: Telegram's checks of them, and the rows of buttons that people see."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.emulator.refusals import RefusedError, bad_request
from tests.emulator.state import JSON, InlineButton, Message

MOST_BUTTONS = 100
WIDEST_ROW = 8  # Telegram breaks longer rows
LONGEST_MARKUP = 10 * 1024
KINDS = (
    "url", "callback_data", "callback_game", "pay", "switch_inline_query", "switch_inline_query_chosen_chat",
    "switch_inline_query_current_chat", "login_url", "web_app", "copy_text",
)  # fmt: skip
STYLES = {"", "default", "primary", "danger", "success"}
LINK = re.compile(r"(?:(?:https?|tg|ton|tonsite)://\S+|[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?)", re.IGNORECASE)


def keyboard(markup: object, *, private: bool, only_inline: bool) -> list[list[JSON]]:
    """Checks a keyboard; returns the rows of an inline keyboard, and no rows for other or missing markup."""
    if markup is None:
        return []
    if not isinstance(markup, dict):
        raise bad_request("object expected as reply markup")
    rows = markup.get("inline_keyboard", [])
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad_request('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    if only_inline and markup and "inline_keyboard" not in markup:
        raise bad_request("inline keyboard expected")
    checked = [[_button(button, private=private) for button in row] for row in rows]
    _check_size(checked)
    return [row[at : at + WIDEST_ROW] for row in checked for at in range(0, len(row), WIDEST_ROW)]


def buttons(rows: list[list[JSON]], message: Message) -> list[list[InlineButton]]:
    """Returns the rows of buttons as people see them under that message."""
    return [[InlineButton(str(raw["text"]), raw, message) for raw in row] for row in rows]


def _check_size(rows: list[list[JSON]]) -> None:
    size = len(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode())
    if sum(map(len, rows)) > MOST_BUTTONS or size > LONGEST_MARKUP:
        raise bad_request("reply markup is too long")


def _malformed(why: str) -> RefusedError:
    return bad_request(f"can't parse inline keyboard button: {why}")


def _button(button: Any, *, private: bool) -> JSON:
    if not isinstance(button, dict):
        raise _malformed("InlineKeyboardButton must be an Object")
    if "text" not in button:
        raise _malformed('Can\'t find field "text"')
    if str(button.get("style") or "").lower() not in STYLES:
        raise _malformed("invalid button style specified")
    if not any(_is_given(button, kind) for kind in KINDS):
        raise _malformed("Text buttons are unallowed in the inline keyboard")
    if not button["text"]:
        raise bad_request("inline keyboard button text must be non-empty")
    _check_target(button, private=private)
    return button


def _is_given(button: JSON, kind: str) -> bool:
    return bool(button.get(kind)) if kind in {"url", "callback_data"} else kind in button


def _check_target(button: JSON, *, private: bool) -> None:
    url = button.get("url")
    if url and not LINK.fullmatch(str(url)):
        raise bad_request(f"inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")
    if not url and len(str(button.get("callback_data", "")).encode()) > 64:
        raise bad_request("BUTTON_DATA_INVALID")
    if "web_app" in button and not private:
        raise bad_request("BUTTON_TYPE_INVALID")
