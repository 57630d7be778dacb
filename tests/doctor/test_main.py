"""Ten installations, each broken in one way: the doctor names the error and the remedy."""

import asyncio
import fcntl
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from locanda import __version__
from services.doctor.__main__ import findings
from tests.e2e.processes import ROOT, ForkedEngine, running
from tests.emulator import Emulator
from tests.programs import program
from tests.redis_server import RedisServer, free_port, running_redis
from tests.waiting import until

pytestmark = pytest.mark.slow

KEPT = ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory", "256mb", "--maxmemory-policy", "noeviction")
NOBODY = "http://127.0.0.1:1"


@pytest.fixture
def redis(tmp_path: Path) -> object:
    with running_redis(tmp_path, *KEPT) as server:
        yield server


async def wrong(**environment: str) -> str:
    """Return the errors with their remedies. Leaves out the error about the address at which no engine runs."""
    all_findings = [finding async for finding in findings({"ENGINE_URL": NOBODY} | environment)]
    return "\n".join(
        str(finding)
        for finding in all_findings
        if finding.level == "wrong" and f"answers at {NOBODY}" not in finding.what
    )


@asynccontextmanager
async def serving(answers: web.Application, context: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """Run a server; yield its address."""
    runner = web.AppRunner(answers)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port := free_port(), ssl_context=context).start()
    try:
        yield f"{'https' if context else 'http'}://127.0.0.1:{port}"
    finally:
        await runner.cleanup()


def engine_of(release: str = __version__, *, public_url: str = "") -> web.Application:
    """A fake engine for the doctor, which does not use the installation's Redis."""

    async def server(_: web.Request) -> web.Response:
        return web.json_response({"release": release, "public_url": public_url})

    async def well(_: web.Request) -> web.Response:
        return web.Response()

    application = web.Application()
    application.router.add_get("/v1/server", server)
    application.router.add_get("/readyz", well)
    return application


# --- Redis


async def test_a_wrong_password_is_not_called_a_silence(redis: RedisServer) -> None:
    await asyncio.to_thread(redis.ask, "CONFIG SET requirepass right")
    for url in (redis.url, redis.url.replace("redis://", "redis://:wrong@")):
        assert await wrong(REDIS_URL=url) == (
            "wrong  Redis refuses the password.\n"
            "       → Correct the password in REDIS_URL; with docker compose REDIS_PASSWORD, and then make roll."
        )


async def test_a_replica_in_the_place_of_the_primary(redis: RedisServer) -> None:
    await asyncio.to_thread(redis.ask, "REPLICAOF 127.0.0.1 1")
    assert "It is a replica, which takes no writes." in await wrong(REDIS_URL=redis.url)


async def test_memory_that_is_nearly_used_up(redis: RedisServer) -> None:
    memory = await asyncio.to_thread(redis.ask, "INFO memory")
    used = int(memory.partition("used_memory:")[2].split()[0])  # an empty Redis 8 takes less than an empty Redis 7
    await asyncio.to_thread(redis.ask, f"CONFIG SET maxmemory {used + used // 10}")
    assert "Give it more memory" in await wrong(REDIS_URL=redis.url)


async def test_an_engine_of_somebody_else_at_the_address_is_not_vouched_for(redis: RedisServer) -> None:
    async with serving(engine_of()) as url:
        seen = await wrong(REDIS_URL=redis.url, ENGINE_URL=url)
    assert f"No engine uses this Redis: the engine at {url} uses another one." in seen


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a folder that is not a repository."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REDIS_URL", raising=False)


@pytest.mark.usefixtures("elsewhere")
async def test_the_redis_of_make_run_that_has_ended_is_not_called_not_started(tmp_path: Path) -> None:
    directory = tmp_path / "var" / "redis"
    await asyncio.to_thread(directory.mkdir, parents=True)
    url = f"redis://default:x@127.0.0.1:{free_port()}/0"
    await asyncio.to_thread((directory / "url").write_text, url)
    with await asyncio.to_thread((directory / "lock").open, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        seen = await wrong(REDIS_URL=url)
    assert "make run runs, but its Redis has ended.\n       → var/redis/redis.log says why" in seen


# --- settings


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("TELEGRAM_TOKEN", "no-token", "TELEGRAM_TOKEN must be a bot token as BotFather gives it"),
        ("ENGINE_THINK_MS", "abc", "ENGINE_THINK_MS must be a number of milliseconds from 0 to 60000."),
    ],
)
async def test_a_value_with_which_no_service_starts(name: str, value: str, said: str) -> None:
    async with Emulator() as telegram:
        seen = await wrong(**{"TELEGRAM_API_URL": telegram.url, name: value})
    assert said in seen
    assert value not in seen


async def test_a_misspelt_setting_under_docker_compose_whose_containers_do_not_see_it(tmp_path: Path) -> None:
    """The script passes the names in .env to the container."""
    said = await asyncio.to_thread(what_compose_is_asked, tmp_path)
    assert "-e WRITTEN_SETTINGS=PUBLIC_ULR REDIS_PASSWORD  telegram" in said
    noted = [str(finding) async for finding in findings({"ENGINE_URL": NOBODY, "WRITTEN_SETTINGS": "PUBLIC_ULR"})]
    assert "note   PUBLIC_ULR in .env is not a setting of Locanda.\n       → Did you mean PUBLIC_URL?" in noted


def what_compose_is_asked(folder: Path) -> str:
    """Return the arguments that scripts/compose-doctor passes to docker compose with an .env."""
    scripts = folder / "scripts"
    scripts.mkdir()
    (scripts / "compose").write_text('echo "$@"')
    (scripts / "compose-doctor").write_text((ROOT / "scripts" / "compose-doctor").read_text())
    (folder / ".env").write_text("PUBLIC_ULR=https://cards.example.org\n# ENGINES=2\nREDIS_PASSWORD=secret\n")
    command = ["sh", str(scripts / "compose-doctor")]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


async def test_what_docker_compose_itself_reads_from_env_is_no_misspelt_setting() -> None:
    written = "COMPOSE_FILE COMPOSE_PROJECT_NAME DOCKER_HOST COMPOSE_PROFILE"
    noted = [finding.what async for finding in findings({"ENGINE_URL": NOBODY, "WRITTEN_SETTINGS": written})]
    assert [what for what in noted if "not a setting" in what] == [
        "COMPOSE_PROFILE in .env is not a setting of Locanda."
    ]


async def test_a_redis_of_docker_compose_that_does_not_answer_is_not_looked_for_in_make_run() -> None:
    away = f"redis://127.0.0.1:{free_port()}/0"
    assert "docker compose logs redis says why" in await wrong(REDIS_URL=away, WRITTEN_SETTINGS="")
    assert "make run" in await wrong(REDIS_URL=away)
    assert "make run" not in await wrong(REDIS_URL=away, WRITTEN_SETTINGS="")


# --- addresses


async def test_a_name_without_an_address_is_said_and_nothing_is_asked() -> None:
    seen = await wrong(PUBLIC_URL="https://cards.invalid")
    assert "The name cards.invalid has no address.\n       → Set its A record" in seen
    assert "?" not in seen


@pytest.mark.costly
async def test_an_engine_behind_a_proxy_that_closes_readyz_is_not_called_out_of_service(
    redis: RedisServer, tmp_path: Path
) -> None:
    engine = ForkedEngine(tmp_path / "engine.log", redis.url)

    async def passed_on(request: web.Request) -> web.Response:
        if request.path == "/readyz":
            raise web.HTTPNotFound
        raise web.HTTPTemporaryRedirect(engine.url + request.path)

    proxy = web.Application()
    proxy.router.add_route("*", "/{path:.*}", passed_on)
    async with running(engine), serving(proxy) as url:
        assert await wrong(REDIS_URL=redis.url, ENGINE_URL=url) == ""
        await asyncio.to_thread(redis.kill)
        await until(lambda: _is_out_of_service(url))


async def _is_out_of_service(url: str) -> bool:
    return f"The engine at {url} does not serve." in await wrong(ENGINE_URL=url)


async def test_a_certificate_that_nobody_trusts(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made_for = "-x509 -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -days 2"
    command = [program("openssl"), "req", *made_for.split(), "-keyout", str(key), "-out", str(certificate)]
    await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True, timeout=60)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    await asyncio.to_thread(context.load_cert_chain, certificate, key)
    async with serving(engine_of(), context) as url:
        seen = await wrong(PUBLIC_URL=url)
    assert f"The certificate of {url} is not trusted: self-signed certificate." in seen
    assert "Nobody answers" not in seen


async def test_a_public_address_that_leads_to_another_installation() -> None:
    async with serving(engine_of(public_url="https://elsewhere.example.org")) as url:
        assert f"{url} leads to something else." in await wrong(PUBLIC_URL=url)
