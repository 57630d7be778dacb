import pytest

from services.engine.store import Store, keys
from services.engine.store.listing import in_turns
from tests.engine.store.commits import bring, commit


async def open_tables(store: Store, names: list[str]) -> None:
    for name in names:
        await bring(store, name, 1, listing="open")


async def pages(store: Store, limit: int) -> list[list[str]]:
    page, cursor = await store.listings["open"].page(None, limit)
    shown = [page]
    while cursor:
        page, cursor = await store.listings["open"].page(cursor, limit)
        shown.append(page)
    return shown


async def test_nothing_is_listed_at_first(store: Store) -> None:
    assert await store.listings["open"].page(None, 10) == ([], None)


async def test_open_tables_are_listed_newest_first(store: Store) -> None:
    await open_tables(store, ["a", "b", "c"])
    await bring(store, "unlisted", 1)
    assert await store.listings["open"].page(None, 10) == (["c", "b", "a"], None)


@pytest.mark.parametrize("limit", [1, 3, 7, 39, 40])
async def test_pages_show_every_table_once(store: Store, limit: int) -> None:
    names = [f"table {number}" for number in range(40)]
    await open_tables(store, names)
    shown = await pages(store, limit)
    assert [name for page in shown for name in page] == names[::-1]
    assert {len(page) for page in shown[:-1]} <= {limit}
    assert shown[-1]


async def test_a_table_opened_meanwhile_does_not_move_the_next_page(store: Store) -> None:
    await open_tables(store, ["a", "b", "c", "d"])
    _, cursor = await store.listings["open"].page(None, 2)
    await open_tables(store, ["e"])
    assert await store.listings["open"].page(cursor, 2) == (["b", "a"], None)


async def test_a_person_who_sits_down_does_not_move_a_table_to_the_front(store: Store) -> None:
    await open_tables(store, ["a", "b"])
    await store.commit(commit("a", 2, listing="open"))
    assert (await store.listings["open"].page(None, 10))[0] == ["b", "a"]


async def test_a_table_that_closes_leaves_the_listing_in_the_same_commit(store: Store) -> None:
    await open_tables(store, ["a", "b"])
    await store.commit(commit("b", 2, listing=None))
    assert await store.listings["open"].page(None, 10) == (["a"], None)


async def test_an_expired_table_can_be_taken_off(store: Store) -> None:
    await open_tables(store, ["a", "b"])
    await store.unlist("a", "open")
    await store.unlist("nowhere", "open")
    assert await store.listings["open"].page(None, 10) == (["b"], None)


@pytest.mark.parametrize("cursor", ["x", "€", "MTIz", "YSBi", "////", "MTc5NTIwMzM1MjU2NDU4NjE3IGE="])
async def test_an_invalid_cursor_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(ValueError, match="cursor"):
        await store.listings["open"].page(cursor, 10)


async def test_a_listed_table_in_play_is_in_the_other_list(store: Store) -> None:
    await open_tables(store, ["a", "b"])
    await store.commit(commit("a", 2, listing="playing"))
    assert await store.listings["open"].page(None, 10) == (["b"], None)
    assert await store.listings["playing"].page(None, 10) == (["a"], None)
    await store.commit(commit("a", 3, listing=None))
    assert await store.listings["playing"].page(None, 10) == ([], None)


async def count_listed(store: Store, group: bytes) -> int:
    return sum([await listing.count(group) for listing in store.listings.values()])


async def test_of_each_client_it_is_known_how_many_tables_are_listed_open_or_in_play(
    store: Store, replica: Store
) -> None:
    for number in range(3):
        await bring(store, f"a{number}", 1, listing="open", opener=b"aa")
    await bring(replica, "b", 1, listing="open", opener=b"bb")
    await store.commit(commit("a0", 2, listing="playing", opener=b"aa"))
    await store.commit(commit("a1", 2, listing=None, opener=b"aa"))
    assert [await count_listed(store, group) for group in (b"aa", b"bb", b"cc")] == [2, 1, 0]


async def test_tables_that_have_expired_leave_the_lists_with_what_was_known_of_them(store: Store) -> None:
    await bring(store, "a", 1, listing="open", opener=b"aa")
    await bring(store, "b", 1, listing="playing", opener=b"aa")
    await bring(store, "c", 1, listing="open", opener=b"aa")
    for table in ("a", "b"):
        await store._backend.call(("DEL", keys.of(table).state))
    for tag in keys.TAGS:
        await store.unlist_gone(tag)
    assert await store.listings["open"].page(None, 10) == (["c"], None)
    assert await store.listings["playing"].page(None, 10) == ([], None)
    assert await count_listed(store, b"aa") == 1
    openers = [await store._backend.call(("HKEYS", keys.openers(tag))) for tag in keys.TAGS]
    assert [table for opener_tables in openers for table in opener_tables] == [b"c"]


def listed_by(**counts: int) -> list[tuple[str, bytes]]:
    return [(f"{name}{number}", name.encode()) for name, count in counts.items() for number in range(count)]


def test_the_newest_table_of_each_client_comes_first() -> None:
    assert in_turns(listed_by(a=3, b=2, c=1), 5) == ["a0", "b0", "c0", "a1", "b1"]
    assert in_turns([("x", b""), ("y", b""), ("z", b"z"), ("w", b"z")], 3) == ["x", "y", "z"]


@pytest.mark.parametrize(("others", "own"), [(0, 50), (9, 41), (10, 10), (24, 24), (60, 1)])
def test_once_ten_tables_of_others_are_listed_at_most_half_are_those_of_one_client(others: int, own: int) -> None:
    shown = in_turns(listed_by(a=300, **{f"b{number}": 1 for number in range(others)}), 50)
    assert sum(table.startswith("a") for table in shown) == own
