"""What a strong computer player would do: hints on a person's turn, and the review of a match that is over."""

from locanda.client import EngineClient
from locanda.messages import Hint, Review, Table
from locanda.translations import Language
from services.telegram.tables.lookup import ActionRefusedError, TableLookup, require_version


class Advice:
    """Hints and reviews. Its methods raise `ActionRefusedError` and `EngineError`."""

    def __init__(self, engine: EngineClient, lookup: TableLookup) -> None:
        self._engine = engine
        self._lookup = lookup

    async def hint(self, ref: str, user: int, version: int, language: Language) -> tuple[Table, Hint]:
        """Return the table as the person sees it, and what a strong player would do in their place."""
        table, token = await self._lookup.view_for(await self._lookup.chat_table(ref), user)
        require_version(table.version, version)
        return table, await self._engine.hint(table.id, token, language=language)

    async def review(self, ref: str, user: int, match: int, language: Language) -> tuple[Table, list[Review]]:
        """Return the table as the person sees it, and the review of each deal of its match."""
        table, token = await self.require_over(ref, user, match)
        deals = range(1, table.match.deal + 1)
        return table, [
            await self._engine.review(table.id, token, deal, match=match, language=language) for deal in deals
        ]

    async def require_over(self, ref: str, user: int, match: int) -> tuple[Table, str]:
        """Return the table as the person sees it, and their token, while this match is its last one and is over."""
        table, token = await self._lookup.view_for(await self._lookup.chat_table(ref), user)
        if table.match.number != match or table.match.result is None:
            raise ActionRefusedError("stale")
        return table, token
