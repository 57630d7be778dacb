"""Tables stored by earlier releases: this release shows them unchanged, and continues them."""

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from locanda import messages
from services.engine.service.assembly import Service
from services.engine.service.idempotency import Caller
from services.engine.store import connect
from tests.engine.upgrades.archive import ADA, ARCHIVES, Archive, ArchivedTable, Playing, read, restore

TABLES = [
    pytest.param(archive, table, id=f"{path.stem}: {table.game}, {table.status}")
    for path in sorted(ARCHIVES.glob("*.json"))
    for archive in [read(path.stem)]
    for table in archive.tables
]


def covers(now: Any, then: Any) -> bool:
    """Whether an answer contains everything in an earlier release's answer. It may have more fields."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(name in now and covers(now[name], then[name]) for name in then)
    if isinstance(then, list):
        return len(now) == len(then) and all(covers(*pair) for pair in zip(now, then, strict=True))
    return bool(now == then)


async def restored(archive: Archive) -> Service:
    return (await playing(archive)).service


async def playing(archive: Archive) -> Playing:
    store = await connect(None)
    await restore(store, archive)
    return Playing(store)


@pytest.mark.parametrize(("archive", "table"), TABLES)
async def test_an_archived_table_looks_as_it_did(archive: Archive, table: ArchivedTable) -> None:
    service = await restored(archive)
    for token, then in zip((*table.tokens, None), table.views, strict=True):
        now = await service.queries.show(table.id, token)
        assert now.version == table.version
        assert covers(msgspec.json.decode(now.body), msgspec.json.decode(then))


@pytest.mark.parametrize(("archive", "table"), TABLES)
async def test_an_archived_answer_is_given_again(archive: Archive, table: ArchivedTable) -> None:
    player = await playing(archive)
    caller = Caller(table.last.token, key=table.last.key, fingerprint=table.last.fingerprint)
    if table.status == "open":
        again = await player.write("sit", caller, table.id, ADA if caller.token else messages.SitDown("Nobody"))
    else:
        again = await player.write("play", caller, table.id, messages.PlayMove(Raw(b"{}")))
    assert again.version <= table.version
    assert covers(msgspec.json.decode(again.body), msgspec.json.decode(table.reply))


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize(("archive", "table"), TABLES)
async def test_an_archived_table_is_played_to_its_end(archive: Archive, table: ArchivedTable) -> None:
    player = await playing(archive)
    service = player.service
    seen = [item.id for item in await service.queries.events(table.id, table.tokens[0], table.version - 2)]
    assert seen == [table.version - 1, table.version]
    listed = {entry.id for entry in (await service.lobby.page(None, 100, "open")).tables}
    assert (table.id in listed) == (table.status == "open")
    if table.status != "playing":
        await player.write("start", Caller(table.tokens[0]), table.id)
    while await player.play(table.id, table.tokens, Caller()):
        pass
    accessed = await service.queries.access(table.id, None)
    for match in range(1, accessed.table.match.number + 1):
        assert (await service.queries.proof(table.id, 1, match)).match == match
