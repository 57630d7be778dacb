"""The Lua scripts of the store. The head of each file describes its keys, arguments and results."""

from hashlib import sha1
from importlib.resources import files


class Script:
    """The source of a script, from one or several files, and its SHA-1 digest for `EVALSHA`."""

    def __init__(self, *names: str) -> None:
        self.source = b"\n".join((files(__package__) / name).read_bytes() for name in names)
        self.digest = sha1(self.source, usedforsecurity=False).hexdigest()


COMMIT = Script("commit.lua", "publish.lua")
WEIGHED_COMMIT = Script("account.lua", "evenings.lua", "log.lua", "commit.lua", "weigh.lua", "publish.lua")
HISTORY = Script("history.lua")
CLAIM = Script("claim.lua")
CLAIM_NOTICES = Script("claim_notices.lua")
SCHEDULE = Script("schedule.lua")
RESTORE = Script("restore.lua")
HEARTBEAT = Script("epoch.lua", "heartbeat.lua")
SETTLE = Script("settle.lua")
VERIFY = Script("epoch.lua", "verify.lua")
REMARK = Script("remark.lua")
ADMINISTER = Script("administer.lua")
SUBSCRIBE = Script("account.lua", "subscribe.lua")
UNSUBSCRIBE = Script("unsubscribe.lua")
TEST_NOTICE = Script("test_notice.lua")
DELIVERED = Script("delivered.lua")
EXPIRED = Script("expired.lua")
EVENING = Script("account.lua", "evenings.lua", "evening.lua")
EVENING_SUBSCRIBE = Script("account.lua", "evenings.lua", "evening_subscribe.lua")
EVENING_UNSUBSCRIBE = Script("account.lua", "evenings.lua", "evening_unsubscribe.lua")
HELD = Script("held.lua")
DEAL = Script("account.lua", "log.lua", "deal.lua")
