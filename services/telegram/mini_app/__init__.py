"""The page as a Telegram Mini App: its links, who opens it, and the call that gives them their seat."""
