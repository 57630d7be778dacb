"""The Mini App's requests to the bot, and the buttons that open the app."""

import time
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestClient

from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton
from tests.telegram.mini_app.launches import launch_data

APP = {"TELEGRAM_APP": "tavolo", "PUBLIC_URL": "https://cards.example.org/locanda"}
OPEN = "🃏 Apri il tavolo"


class Page:
    """The page inside Telegram: it makes the Mini App's requests to the bot."""

    def __init__(self, client: TestClient[web.Request, web.Application], token: str) -> None:
        self._client = client
        self._token = token
        self.accepts = "it"
        """The browser's `Accept-Language`."""

    async def opens(self, person: Person, start: str | None = None, **wanted: Any) -> tuple[int, dict[str, Any]]:
        """Ask for a session with a person's launch data; return status and body of the answer."""
        return await self.asks("session", person, start, **wanted)

    async def asks(
        self, call: str, person: Person, start: str | None = None, **wanted: Any
    ) -> tuple[int, dict[str, Any]]:
        """Make a call with a person's launch data; return status and body of the answer."""
        text = launch_data(person, self._token, at=time.time(), start=start)
        return await self.posts({"init_data": text, **wanted}, call)

    async def posts(self, body: Any, call: str = "session") -> tuple[int, dict[str, Any]]:
        headers = {"Accept-Language": self.accepts}
        async with self._client.post(f"/telegram/{call}", json=body, headers=headers) as answer:
            assert answer.headers["Cache-Control"] == "no-store"
            return answer.status, await answer.json()


def app_button(place: Chat) -> InlineButton:
    """Return the newest button that opens the app."""
    buttons = [button for message in place.messages for row in message.rows for button in row if button.text == OPEN]
    assert buttons, place.render()
    return buttons[-1]


def reference(button: InlineButton) -> str:
    """Return the bot's reference for the table that a button opens."""
    assert button.url is not None
    return button.url.rpartition("=")[2]
