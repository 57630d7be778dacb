"""The bot's memory, by subject. Nothing else knows its Redis."""

from redis.asyncio import Redis

from services.telegram.memory.boards import Boards
from services.telegram.memory.chats import Chats
from services.telegram.memory.messages import Messages
from services.telegram.memory.people import People
from services.telegram.memory.rooms import Rooms
from services.telegram.memory.seats import Seats


class Memory:
    """All that the bot remembers. `redis` must decode its answers."""

    def __init__(self, redis: Redis) -> None:
        self.people = People(redis)
        self.chats = Chats(redis)
        self.seats = Seats(redis)
        self.rooms = Rooms(redis, self.seats)
        self.messages = Messages(redis, self.rooms)
        self.boards = Boards(redis, self.people, self.chats)
