"""The asyncio client of the engine, which is the public Python SDK.

    async with EngineClient.connect("http://127.0.0.1:8080") as engine:
        first, *_ = await engine.games()
        seated = await engine.open_table(OpenTable(game=first.game, name="Anna"))

The arguments and results of the calls are types of `locanda.messages`. Error responses are raised as
exceptions of `locanda.errors`.

Each write has an idempotency key, so that a retry after a lost answer does not act twice. Pass your own `key` to be
safe even if your program crashes: the same key with the same request gets the first answer again. With `version`, a
write raises `StaleError` if the table has changed since that version.
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
