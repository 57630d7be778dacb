"""Repository of the titles of a group's last winners."""

from services.telegram.records import GroupTitle
from services.telegram.repositories import keys
from services.telegram.repositories.forms import Records
from services.telegram.repositories.people_and_chats import ChatRepository
from services.telegram.repositories.remembered import RememberedRedis


class TitleRepository:
    """The titles of all groups, by game."""

    def __init__(self, redis: RememberedRedis, chats: ChatRepository) -> None:
        self._redis = redis
        self._records = Records(redis)
        self._chats = chats

    async def of_chat(self, chat: int) -> dict[str, GroupTitle]:
        """Return a group's titles by game."""
        return await self._records.all(keys.titles(chat), GroupTitle)

    async def save(self, chat: int, game: str, title: GroupTitle) -> None:
        """Store a title."""
        await self._records.save(keys.titles(chat), game, title)

    async def of_person(self, user: int) -> list[tuple[int, str, GroupTitle]]:
        """Return the titles that a person has or will get, with group and game."""
        chats = [
            await self._chats.current_id(int(chat)) for chat in await self._redis.smembers(keys.leaderboards_of(user))
        ]
        return [
            (chat, game, title)
            for chat in sorted(chats)
            for game, title in (await self.of_chat(chat)).items()
            if user in {title.due, title.bearer}
        ]

    async def forget_person(self, user: int) -> None:
        """Remove a person from all titles."""
        for chat, game, title in await self.of_person(user):
            await self.save(chat, game, title.without(user))

    async def forget_chat(self, chat: int) -> None:
        """Delete a group's titles."""
        await self._redis.delete(keys.titles(chat))

    async def move(self, old: int, new: int) -> None:
        """Move a group's titles to the supergroup that it became."""
        await self._redis.copy(keys.titles(old), keys.titles(new))
        await self.forget_chat(old)
