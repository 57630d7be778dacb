"""The repositories on each kind of Redis: embedded, a server, a cluster. Each test runs on all three."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.telegram.repositories import Repositories
from services.telegram.repositories.connection import connect
from tests.redis_cluster import PRIMARIES, Cluster, running_cluster
from tests.redis_server import RedisServer


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(params=["in the process", "on a server", "on a cluster"])
async def repositories(request: pytest.FixtureRequest, redis_server: RedisServer) -> AsyncIterator[Repositories]:
    if request.param == "in the process":
        redis = cast("Redis", FakeAsyncRedis(server=FakeServer(), decode_responses=True))
    elif request.param == "on a server":
        redis = connect(redis_server.url)
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        redis = connect(cluster.url)
        for primary in cluster.nodes[:PRIMARIES]:
            await asyncio.to_thread(primary.flush)
    yield Repositories(redis)
    await redis.aclose()
