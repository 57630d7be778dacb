"""docker-compose.yml and .env.example know every setting of the services."""

import asyncio
import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from services.common.settings import ServiceSettings
from services.engine.settings import EngineSettings
from services.telegram.settings import BotSettings
from tests.engine.http.engine_server import running_engine

ROOT = Path(__file__).parents[1]
SETTINGS: dict[str, type[ServiceSettings]] = {"engine": EngineSettings, "telegram": BotSettings}
INSIDE = {
    "ENGINE_HOST",
    "ENGINE_PORT",
    "ENGINE_METRICS_PORT",
    "ENGINE_WORKERS",
    "TELEGRAM_WEBHOOK_HOST",
    "TELEGRAM_WEBHOOK_PORT",
    "TELEGRAM_HEALTH_PORT",
}
"""Settings with fixed values inside containers: the addresses where services listen, and the number of engines."""
RIGHTS = {"proxy": ["NET_BIND_SERVICE"], "public": ["NET_BIND_SERVICE"], "certificates": ["CHOWN", "DAC_READ_SEARCH"]}
"""The Linux capabilities of services that need any. `certificates` runs briefly, and gives its folder to the user of
`public`.
"""
ASSIGNED = re.compile(r"^([A-Z_]+)=", re.MULTILINE)
ASKED = re.compile(r"\$\{([A-Z_]+)")

Compose = dict[str, Any]


@pytest.fixture
def text() -> str:
    return (ROOT / "docker-compose.yml").read_text() + (ROOT / "deploy" / "build.yml").read_text()


@pytest.fixture
def services() -> Compose:
    services_: Compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    return services_


def names_of(service: str) -> set[str]:
    return {field.name.upper() for field in msgspec.structs.fields(SETTINGS[service])}


@pytest.mark.parametrize("service", SETTINGS)
def test_every_setting_reaches_its_container(services: Compose, service: str) -> None:
    assert set(services[service]["environment"]) == names_of(service) - INSIDE


def test_the_example_lists_every_setting_and_whatever_else_compose_asks_for(text: str) -> None:
    listed = ASSIGNED.findall((ROOT / ".env.example").read_text())

    assert len(listed) == len(set(listed))
    assert set(listed) == names_of("engine") | names_of("telegram") | {"COMPOSE_PROFILES", *ASKED.findall(text)}


def published(services: Compose, service: str) -> set[int]:
    """Return the ports of the host that a service publishes by default."""
    return {int(re.split(r":-|\}", port)[1]) for port in services[service]["ports"]}


def test_any_number_of_engines_is_behind_one_address(services: Compose) -> None:
    """A published port can belong to only one container."""
    assert "ports" not in services["engine"]
    assert published(services, "proxy") == {8080}


def test_services_are_open_to_this_machine_alone_unless_the_profile_public_is_asked_for(services: Compose) -> None:
    """Ports published by Docker bypass most firewalls of a machine."""
    everywhere = {
        name
        for name, service in services.items()
        if any(not port.startswith("127.0.0.1:") for port in service.get("ports", []))
    }

    assert everywhere == {"public"}
    assert services["public"]["profiles"] == ["public"]


def test_containers_run_with_no_more_rights_than_they_need(services: Compose) -> None:
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service.get("cap_add", []) == RIGHTS.get(name, []), name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["pids_limit"], name


def test_no_container_fills_the_disk_with_its_log(services: Compose) -> None:
    for name, service in services.items():
        assert service["logging"] == {"driver": "json-file", "options": {"max-size": "10m", "max-file": "5"}}, name


def test_no_container_runs_as_root(services: Compose) -> None:
    assert services["redis"]["user"] == "redis"
    assert services["proxy"]["user"] == services["public"]["user"] == "10002"
    # The user is given by number, so that Kubernetes can see that it is not root.
    assert all("\nUSER 10001\n" in stage(service) for service in SETTINGS)


def test_redis_needs_a_password_that_is_on_no_command_line(services: Compose) -> None:
    password = "${REDIS_PASSWORD:-locanda}"

    assert services["redis"]["environment"]["REDISCLI_AUTH"] == password
    assert "--requirepass" not in str(services["redis"]["command"])
    assert all(
        services[service]["environment"]["REDIS_URL"] == f"redis://:{password}@redis:6379/0" for service in SETTINGS
    )


def test_redis_has_memory_left_for_a_rewrite_of_its_file_and_for_the_check_of_a_backup(services: Compose) -> None:
    (maxmemory,) = re.findall(r"--maxmemory (\d+)mb", str(services["redis"]["command"]))

    assert services["redis"]["mem_limit"] == "2g"
    assert 4 * int(maxmemory) <= 2048


@pytest.mark.parametrize(("service", "port"), [("engine", 8080), ("telegram", 8091)])
def test_every_image_has_a_health_check_that_starts_no_python(service: str, port: int) -> None:
    (check,) = re.findall(r"^HEALTHCHECK .*CMD (\[.*\])$", stage(service), re.MULTILINE)

    assert check == f'["bash", "/app/services/healthcheck", "{port}"]'
    assert "--start-period=60s" in stage(service)


@pytest.mark.parametrize("service", SETTINGS)
def test_images_bring_their_bytecode(service: str) -> None:
    """Images are read-only, so without stored bytecode Python would compile all code at every start."""
    lines = stage(service)

    assert (
        f"compileall -q --invalidation-mode unchecked-hash shared services && python -c 'import services.{service}"
        in lines
    )
    assert lines.index("compileall") < lines.index("ENV PYTHONDONTWRITEBYTECODE=1")


@pytest.mark.parametrize("service", SETTINGS)
def test_images_hold_no_redis_of_the_tests(service: str) -> None:
    pinned = (ROOT / "requirements" / f"{service}.txt").read_text()

    assert "\nredis==" in pinned
    assert not re.search(r"^(fakeredis|lupa)==", pinned, re.MULTILINE)


def stage(service: str) -> str:
    """Return the part of the Dockerfile that builds a service's image from the common base."""
    stages = re.split(r"^FROM ", (ROOT / "services" / "Dockerfile").read_text(), flags=re.MULTILINE)
    (part,) = (text for text in stages if text.startswith(f"base AS {service}\n"))
    return part


# --- the health check of the images


def healthy(port: int) -> bool:
    check = ["bash", str(ROOT / "services" / "healthcheck"), str(port)]
    return subprocess.run(check, stderr=subprocess.DEVNULL, timeout=60, check=False).returncode == 0


async def test_the_health_check_is_content_with_an_engine_that_serves_and_with_nothing_else() -> None:
    async with running_engine() as server:
        assert await asyncio.to_thread(healthy, server.server.port or 0)
        port = server.server.port or 0
    assert not await asyncio.to_thread(healthy, port)


async def test_the_health_check_is_not_content_with_a_server_that_fails() -> None:
    async def fail(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(fail, "127.0.0.1", 0) as server:
        assert not await asyncio.to_thread(healthy, server.sockets[0].getsockname()[1])
