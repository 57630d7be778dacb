"""docker-compose.yml and .env.example know every setting of the services."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from services.engine.settings import Settings as EngineSettings
from services.telegram.settings import Settings as BotSettings
from shared.settings import Settings

ROOT = Path(__file__).parents[1]
SETTINGS: dict[str, type[Settings]] = {"engine": EngineSettings, "telegram": BotSettings}
INSIDE = {"ENGINE_HOST", "ENGINE_PORT", "TELEGRAM_WEBHOOK_HOST", "TELEGRAM_WEBHOOK_PORT"}
"""Where a service listens in its container is no business of those outside."""
ASSIGNED = re.compile(r"^([A-Z_]+)=", re.MULTILINE)
ASKED = re.compile(r"\$\{([A-Z_]+)")

Compose = dict[str, Any]


@pytest.fixture
def text() -> str:
    return (ROOT / "docker-compose.yml").read_text()


@pytest.fixture
def services(text: str) -> Compose:
    found: Compose = yaml.safe_load(text)["services"]
    return found


def names_of(service: str) -> set[str]:
    return {field.name.upper() for field in msgspec.structs.fields(SETTINGS[service])}


@pytest.mark.parametrize("service", SETTINGS)
def test_every_setting_reaches_its_container(services: Compose, service: str) -> None:
    assert set(services[service]["environment"]) == names_of(service) - INSIDE


def test_the_example_lists_every_setting_and_whatever_else_compose_asks_for(text: str) -> None:
    listed = ASSIGNED.findall((ROOT / ".env.example").read_text())

    assert len(listed) == len(set(listed))
    assert set(listed) == names_of("engine") | names_of("telegram") | set(ASKED.findall(text))


def published(services: Compose, service: str) -> set[int]:
    """Return the ports of the host that a service takes by default."""
    return {int(re.split(r":-|\}", port)[1]) for port in services[service]["ports"]}


def test_several_engines_leave_the_webhook_its_port(services: Compose) -> None:
    engine, webhook = published(services, "engine"), published(services, "telegram")

    assert not webhook & {port + more for port in engine for more in range(10)}


@pytest.mark.parametrize("service", SETTINGS)
def test_services_run_with_no_more_rights_than_they_need(services: Compose, service: str) -> None:
    dockerfile = (ROOT / "services" / service / "Dockerfile").read_text()

    assert services[service]["read_only"] is True
    assert services[service]["cap_drop"] == ["ALL"]
    assert "\nUSER locanda\n" in dockerfile
