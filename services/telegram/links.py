"""The links that open the Mini App."""

from msgspec import Struct


class AppLinks(Struct, frozen=True):
    """Makes the links that open the Mini App at a table; empty links if the bot has no Mini App."""

    username: str = ""
    app: str = ""
    """The app's short name from BotFather's /newapp; empty where there is none."""
    public_url: str = ""

    @property
    def address(self) -> str:
        """The app's own address at Telegram; empty where there is none."""
        return f"https://t.me/{self.username}/{self.app}" if self.app else ""

    def in_group(self, ref: str) -> str:
        """Return the link for a button in a group: Telegram refuses `web_app` buttons there (Bot API, direct links)."""
        return f"{self.address}?startapp={ref}" if self.app else ""

    def in_private(self, ref: str) -> str:
        """Return the address for a `web_app` button in a private chat; the page reads the table from it."""
        return f"{self.public_url}/?table={ref}" if self.app else ""
