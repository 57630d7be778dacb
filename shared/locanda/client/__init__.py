"""The engine's async client, and the public Python SDK.

    async with EngineClient.connect("http://127.0.0.1:8080") as engine:
        first, *_ = await engine.games()
        seated = await engine.open_table(OpenTable(game=first.game, name="Anna"))

The arguments and results of the calls are types of `locanda.messages`. Each family of problems is raised as a class of
`locanda.errors`.

Every write carries an idempotency key, so that a retry after a lost answer never acts twice. Give a `key` of your own
to be safe across a crash of your program too: the same key with the same request gets the first answer again. With
`version`, a write raises `StaleError` if the table has changed since.
"""

from locanda.client.engine import DEFAULT_RETRY, LONG_POLL, LONGEST_REVIEW, EngineClient, NamedAccounts
from locanda.client.transport import RetryPolicy
from locanda.messages import AnyMove

__all__ = [
    "DEFAULT_RETRY",
    "LONGEST_REVIEW",
    "LONG_POLL",
    "AnyMove",
    "EngineClient",
    "NamedAccounts",
    "RetryPolicy",
]
