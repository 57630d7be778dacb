import pytest

from services.engine.store import connect
from tests.engine.commits import bring


async def test_without_a_url_each_store_is_its_own() -> None:
    first, second = await connect(None), await connect("")
    await bring(first, "t", 1)
    assert (await first.load("t")).snapshot
    assert (await second.load("t")).snapshot is None
    await first.close()
    await second.close()


async def test_a_store_that_nobody_used_can_be_closed() -> None:
    await (await connect(None)).close()
    await (await connect("redis://127.0.0.1:1/0")).close()
    await (await connect("redis+cluster://127.0.0.1:1")).close()
    await (await connect("redis+sentinel://127.0.0.1:1/inn")).close()


@pytest.mark.parametrize(
    "url",
    [
        "sesamo",
        "http://:sesamo@localhost",
        "redis://:a/sesamo@localhost:x/0",
        "redis://localhost:sesamo/0",
        "redis://localhost:6379/0?sesamo=1",
        "redis://localhost:6379/0?db=sesamo",
        "redis+cluster://localhost:sesamo",
        "redis+cluster://localhost:6379/3",
        "redis+cluster://localhost:6379?sesamo=1",
        "redis+sentinel://:sesamo@localhost:26379",
        "redis+sentinel://localhost:sesamo/inn",
        "redis+sentinel://localhost:26379/inn/sesamo",
        "redis+sentinel://localhost:26379/inn?sesamo=1",
    ],
)
async def test_a_bad_url_is_refused_without_being_quoted(url: str) -> None:
    with pytest.raises(ValueError, match="not a URL of Redis") as caught:
        await connect(url)
    assert "sesamo" not in str(caught.value)
    assert caught.value.__context__ is None
