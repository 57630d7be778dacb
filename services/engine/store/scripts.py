"""The Lua scripts. What each takes and returns stands at its head."""

from hashlib import sha1
from importlib.resources import files


class Script:
    """A script, and the digest under which a server that has seen it runs it."""

    def __init__(self, name: str) -> None:
        self.source = (files(__package__) / name).read_bytes()
        self.digest = sha1(self.source, usedforsecurity=False).hexdigest()


COMMIT = Script("commit.lua")
HISTORY = Script("history.lua")
CLAIM = Script("claim.lua")
SCHEDULE = Script("schedule.lua")
BEAT = Script("beat.lua")
SETTLE = Script("settle.lua")
