"""Votes on closing a table during a match. Some people decide alone; otherwise all players have to agree."""

from msgspec import structs

from locanda.messages import Table
from services.telegram.play.closing import ClosingQuestion
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.lookup import TableLookup


class ClosingVotes:
    """Counts votes on closing tables. Its methods raise `EngineError`."""

    def __init__(self, repositories: Repositories, lookup: TableLookup) -> None:
        self._votes = repositories.votes
        self._lookup = lookup

    async def question(self, chat_table: ChatTable, table: Table) -> ClosingQuestion:
        """Return the question whether to close a table, with the votes so far. People who are away need not vote."""
        agreeing = await self._votes.of_match(chat_table.ref, table.match.number)
        seats = (await self._lookup.seats(chat_table)).items()
        names = {user: table.seats[at].name for user, at in seats if user in agreeing or not table.seats[at].away}
        return ClosingQuestion(
            ref=chat_table.ref,
            letter=await self._lookup.letter(chat_table),
            agree=[name for user, name in names.items() if user in agreeing],
            needed=len(names),
        )

    async def vote(
        self, chat_table: ChatTable, table: Table, user: int, *, agree: bool | None, decides: bool
    ) -> ClosingQuestion:
        """Count a person's vote, if any; return the question with the outcome. `decides`: the person decides alone."""
        ref, match = chat_table.ref, table.match.number
        if agree is False:
            await self._votes.keep(ref, match)
        elif agree and not decides:
            await self._votes.cast(ref, match, user)
        question = await self.question(chat_table, table)
        closed = agree and (decides or len(question.agree) >= question.needed)
        return structs.replace(question, outcome="kept" if agree is False else "closed" if closed else "open")
