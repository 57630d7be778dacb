"""Own players that hang delay only the tables where they play, not other people's own players or those of the host."""

import asyncio
from collections.abc import Mapping
from itertools import count

import msgspec
import pytest
from msgspec import Struct, structs

from locanda.messages import OwnServer
from locanda.messages.own_players import OwnPlayer
from services.engine.outbound.answers import ServerAnswer
from services.engine.service import own_players
from services.engine.service.own_players import NoMoveError, OwnPlayers
from services.engine.table.state import AnyTable, ServerState, turn_of
from tests.engine.table.tables import started
from tests.waiting import until

HOSTS, STRANGERS, ANNAS = "https://ada.example.org/", "https://{}.hangs.example/", "https://anna.example.net/"
STRANGER, ANNA = b"st", b"an"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_players, "PATIENCE", 60.0)


class Servers:
    """The servers of own players, some of which hang."""

    def __init__(self, hang: str) -> None:
        self.asked: list[str] = []
        self.goes_on = asyncio.Event()
        self._hang = hang

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, most_bytes: int
    ) -> ServerAnswer:
        del headers, seconds, most_bytes
        self.asked.append(url)
        if self._hang in url:
            await self.goes_on.wait()
        return ServerAnswer(200, msgspec.json.encode({"move": msgspec.json.decode(body)["moves"][0]}))

    def players(self) -> OwnPlayers:
        return OwnPlayers(self.post, [OwnPlayer("ada", OwnServer(HOSTS))], from_people=True)


def table(opener: bytes, url: str = "") -> AnyTable:
    servers = {"@mine": ServerState(url, None)} if url else None
    return structs.replace(started(), opener=opener, servers=servers)


def move(players: OwnPlayers, of: AnyTable) -> asyncio.Task[Struct]:
    number = turn_of(of)
    assert number is not None
    level = "@mine" if of.servers else "@ada"
    return asyncio.create_task(players.move(of, number, level, None))


async def test_strangers_whose_players_hang_displace_neither_the_hosts_player_nor_others() -> None:
    servers = Servers(hang="hangs")
    players, names = servers.players(), count()
    hanging = [
        move(players, table(opener, STRANGERS.format(next(names))))
        for opener in (STRANGER, b"s2", b"s3")
        for _ in range(200)
    ]
    await until(lambda: len(servers.asked) == 16)  # all names under hangs.example count as one target
    for _ in range(20):
        await move(players, table(STRANGER))
        await move(players, table(ANNA, ANNAS))
    assert len(servers.asked) == 16 + 40
    for task in hanging:
        task.cancel()
    await asyncio.gather(*hanging, return_exceptions=True)


async def test_one_opener_whose_tables_use_up_the_hosts_player_leaves_places_to_others() -> None:
    servers = Servers(hang="ada")
    players = servers.players()
    moves = [move(players, table(STRANGER)) for _ in range(20)]
    await until(lambda: len(servers.asked) == 8)
    annas = move(players, table(ANNA))
    await until(lambda: len(servers.asked) == 9)
    servers.goes_on.set()
    await asyncio.gather(annas, *moves)
    assert len(servers.asked) == 21


async def test_a_move_that_finds_no_place_waits_its_turn_and_is_given_up_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    servers = Servers(hang="ada")
    players = servers.players()
    moves = [move(players, table(STRANGER)) for _ in range(8)]
    await until(lambda: len(servers.asked) == 8)
    patient = move(players, table(STRANGER))
    await until(lambda: len(players._places) == 9)
    monkeypatch.setattr(own_players, "PATIENCE", 0.0)
    with pytest.raises(NoMoveError) as given_up:
        await move(players, table(STRANGER))
    assert given_up.value.reason == "busy"
    servers.goes_on.set()
    await asyncio.gather(patient, *moves)
