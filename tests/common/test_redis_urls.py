"""The store, the rate limits and the bot can open every form of Redis URL that the settings accept."""

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import get_args

import pytest

from services.common.redis_urls import SCHEMES, RedisUrl, RedisUrlError, open_client
from services.engine.errors import ProblemError
from services.engine.http.server.limits import ClientLimits
from services.engine.settings import EngineSettings, load
from services.engine.store import connect
from services.telegram.repositories.connection import connect as connect_bot
from services.telegram.repositories.people_and_chats import PersonRepository
from services.telegram.repositories.remembered import RememberedRedis
from tests import waiting
from tests.engine.store.commits import bring
from tests.programs import program
from tests.redis_server import RedisServer, ask, free_port, running_redis, until

FORMS = ["", *SCHEMES]


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A URL of each form: a server (plain, over TLS, on a socket, by its sentinel), and a cluster of one node."""
    directory = tmp_path_factory.mktemp("redis_urls")
    certificate = _certificate(directory)
    tls = f"ssl_ca_certs={certificate}"
    with ExitStack() as stack:
        server, server_tls = _server(stack, directory / "server", "--unixsocket", str(directory / "redis.sock"))
        cluster = ("--cluster-enabled", "yes", "--tls-cluster", "yes", "--cluster-port", str(free_port()))
        node, node_tls = _server(stack, directory / "node", *cluster)
        assert node.ask("CLUSTER ADDSLOTSRANGE 0 16383").startswith("+OK")
        until(lambda: "cluster_state:ok" in node.ask("CLUSTER INFO"))
        sentinel = _sentinel(stack, directory, server.port)
        yield {
            "": "",
            "redis": server.url,
            "rediss": f"rediss://127.0.0.1:{server_tls}/0?{tls}",
            "unix": f"unix://{directory}/redis.sock",
            "redis+cluster": f"redis+cluster://127.0.0.1:{node.port}",
            "rediss+cluster": f"rediss+cluster://127.0.0.1:{node_tls}?{tls}",
            "redis+sentinel": f"redis+sentinel://127.0.0.1:{sentinel}/locanda/0",
        }


@pytest.fixture(params=FORMS, ids=[form or "embedded" for form in FORMS])
def url(request: pytest.FixtureRequest, urls: dict[str, str]) -> str:
    return urls[request.param]


def test_the_settings_accept_each_form(url: str) -> None:
    assert load({"REDIS_URL": url}).redis_url == url


@pytest.mark.slow
async def test_the_store_opens_each_form(url: str) -> None:
    store = await connect(url)
    table = f"table of {url.partition(':')[0]}"
    await bring(store, table, 2)
    snapshot = (await store.load(table)).snapshot
    assert snapshot
    assert snapshot.version == 2
    await store.close()


@pytest.fixture(autouse=True)
async def _connections_end() -> AsyncIterator[None]:
    """Let TLS connections finish their shutdown.

    A connection that is still shutting down when the loop ends is never closed.
    """
    yield
    sockets = asyncio.get_running_loop()._selector  # type: ignore[attr-defined]
    with suppress(TimeoutError):
        await waiting.until(lambda: len(sockets.get_map()) == 1, seconds=10)  # only the event loop's own socket is left


@pytest.mark.slow
async def test_the_rate_limits_open_each_form_and_share_it_between_engines(url: str) -> None:
    engines = [ClientLimits(url, tables=2) for _ in range(2 if url else 1)]
    client = f"client of {url.partition(':')[0]}"
    headers = [await engines[number % len(engines)].spend("tables", client) for number in range(2)]
    assert [headers_["RateLimit"].partition(";t=")[0] for headers_ in headers] == ['"tables";r=1', '"tables";r=0']
    for engine in engines:
        with pytest.raises(ProblemError):
            await engine.spend("tables", client)
        await engine.close()


@pytest.mark.slow
async def test_the_bot_opens_each_form(url: str) -> None:
    # creating the first embedded server of a process reads files, which blocks
    redis = await asyncio.to_thread(connect_bot, url)
    people = PersonRepository(RememberedRedis(redis))
    await people.remember(1, "Anna", "it")
    anna = await people.person(1)
    assert anna
    assert anna.name == "Anna"
    await redis.aclose()


async def test_a_cluster_that_does_not_answer_lets_requests_pass() -> None:
    limits = ClientLimits(f"redis+cluster://127.0.0.1:{await asyncio.to_thread(free_port)}", tables=1)
    assert await limits.spend("tables", "client") == {}
    await limits.close()


def test_each_form_is_documented_where_it_is_set() -> None:
    pattern = get_args(RedisUrl)[1].pattern
    for scheme in SCHEMES:
        assert re.fullmatch(pattern, f"{scheme}://localhost")
        assert f"{scheme}://" in EngineSettings.EXPECTATIONS["redis_url"]


@pytest.mark.parametrize("url", ["http://localhost", "rediss+sentinel://localhost", "localhost"])
def test_no_other_form_is_accepted(url: str) -> None:
    assert not re.fullmatch(get_args(RedisUrl)[1].pattern, url)
    with pytest.raises(RedisUrlError):
        open_client(url)


def _certificate(directory: Path) -> Path:
    """Return a self-signed certificate for 127.0.0.1. The key is stored in the same folder."""
    certificate = directory / "certificate.pem"
    made_for = (
        "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    )
    command = [program("openssl"), "req", "-x509", "-nodes", "-days", "2", *made_for.split()]
    files = ["-keyout", str(directory / "key.pem"), "-out", str(certificate)]
    subprocess.run([*command, *files], check=True, capture_output=True)
    return certificate


def _server(stack: ExitStack, directory: Path, *arguments: str) -> tuple[RedisServer, int]:
    """Run a server. Return the server and its port for TLS."""
    directory.mkdir()
    port, files = free_port(), directory.parent
    tls = {
        "tls-port": str(port),
        "tls-cert-file": str(files / "certificate.pem"),
        "tls-key-file": str(files / "key.pem"),
        "tls-ca-cert-file": str(files / "certificate.pem"),
        "tls-auth-clients": "no",
    }
    words = [word for name, value in tls.items() for word in (f"--{name}", value)]
    return stack.enter_context(running_redis(directory, *words, *arguments)), port


def _sentinel(stack: ExitStack, directory: Path, primary: int) -> int:
    """Run a sentinel that monitors a primary under the name `locanda`. Return the sentinel's port."""
    port = free_port()
    configuration = directory / "sentinel.conf"
    configuration.write_text(f"port {port}\nbind 127.0.0.1\nsentinel monitor locanda 127.0.0.1 {primary} 1\n")
    command = [program("redis-server"), str(configuration), "--sentinel"]
    process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.DEVNULL))
    stack.callback(process.kill)
    until(lambda: _knows(port))
    return port


def _knows(sentinel: int) -> bool:
    try:
        return "127.0.0.1" in ask(sentinel, "SENTINEL GET-MASTER-ADDR-BY-NAME locanda")
    except OSError:
        return False
