"""The repositories on an embedded Redis, a server and a (slow) cluster. Each test runs on all three."""

from collections.abc import AsyncIterator, Iterator
from typing import cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.telegram.repositories.connection import connect
from services.telegram.repositories.repositories import Repositories
from tests.redis_cluster import PRIMARIES, Cluster, running_cluster
from tests.redis_server import RedisServer


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(params=["in the process", "on a server", pytest.param("on a cluster", marks=pytest.mark.slow)])
def redis_url(request: pytest.FixtureRequest, redis_server: RedisServer) -> str | None:
    if request.param == "in the process":
        return None
    if request.param == "on a server":
        return redis_server.url
    cluster: Cluster = request.getfixturevalue("cluster")
    for primary in cluster.nodes[:PRIMARIES]:
        primary.flush()
    return cluster.url


@pytest.fixture
async def redis(redis_url: str | None) -> AsyncIterator[Redis]:
    redis = (
        connect(redis_url) if redis_url else cast("Redis", FakeAsyncRedis(server=FakeServer(), decode_responses=True))
    )
    yield redis
    await redis.aclose()


@pytest.fixture
def repositories(redis: Redis) -> Repositories:
    return Repositories(redis)
