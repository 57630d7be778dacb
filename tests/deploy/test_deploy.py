"""The files of deploy/, docker-compose.yml and the scripts are valid, and agree with the services."""

import asyncio
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from services.engine.http.api.handlers import ROUTES
from services.engine.http.server.metrics import Metrics
from services.telegram.monitoring import BotMetrics
from tests.deploy.tools import run
from tests.e2e.processes import ROOT

DEPLOY = ROOT / "deploy"
SCHEMA = Path(__file__).parent / "compose-spec" / "compose-spec.json"
DASHBOARD = ROOT / "docs" / "grafana" / "locanda.json"
METRIC = re.compile(r"\b(?:locanda|process|python)_[a-z_]+")
SUFFIX = re.compile(r"_(total|bucket|count|info)$")
SHELL = re.compile(r"^#!/bin/(sh|bash)$|^#!/usr/bin/env bash$")


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


async def known_metrics() -> set[str]:
    """The names of all metrics of the engine and the bot."""
    bot = BotMetrics()
    bot.watch_lease(bool)
    texts = (await asyncio.to_thread(Metrics().exposition), await bot.exposition())
    return {SUFFIX.sub("", family.name) for text in texts for family in text_string_to_metric_families(text.decode())}


def named_metrics(expressions: Iterable[str]) -> set[str]:
    return {SUFFIX.sub("", name) for expression in expressions for name in METRIC.findall(expression)}


# --- docker compose


@pytest.mark.parametrize("file", ["docker-compose.yml", "deploy/games.yml"])
def test_compose_is_valid_by_the_specification(file: str) -> None:
    """The schema is that of github.com/compose-spec/compose-spec (Apache-2.0)."""
    compose = yaml.safe_load((ROOT / file).read_text())
    validator = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text()))

    assert [error.message for error in validator.iter_errors(compose)] == []
    compose["services"]["engine"]["mem_limits"] = "512m"
    assert not validator.is_valid(compose)


def test_compose_mounts_files_that_are_there() -> None:
    mounted = re.findall(r'"\./([^:"]+):', (ROOT / "docker-compose.yml").read_text())
    assert mounted
    assert [name for name in mounted if not (ROOT / name).is_file()] == []


def test_compose_gives_tmpfs_no_option_that_podman_does_not_know() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"].values()
    options = {
        word for service in services for tmpfs in service.get("tmpfs", ()) for word in tmpfs.split(":")[1].split(",")
    }
    assert {option.split("=")[0] for option in options} == {"mode", "size"}


# --- alerts


def test_prometheus_accepts_its_configuration_and_the_alerts() -> None:
    run("promtool", "check", "config", "deploy/prometheus.yml")


def test_every_alert_fires_where_it_must_and_not_before() -> None:
    tests = yaml.safe_load((Path(__file__).parent / "alerts.test.yml").read_text())["tests"]
    quiet = {rule["alertname"] for rule in tests[0]["alert_rule_test"]}
    firing = {re.search(r'"(.*)"', sample["labels"])[1] for sample in tests[1]["promql_expr_test"][0]["exp_samples"]}  # type: ignore[index]

    run("promtool", "test", "rules", "tests/deploy/alerts.test.yml")

    assert quiet == firing == {rule["alert"] for rule in rules()}


async def test_alerts_ask_for_metrics_and_routes_that_there_are() -> None:
    expressions = [rule["expr"] for rule in await asyncio.to_thread(rules)]

    assert named_metrics(expressions) <= await known_metrics()
    assert set(re.findall(r'route="([^"]+)"', " ".join(expressions))) <= {route.path for route in ROUTES}


def test_every_alert_says_what_to_do() -> None:
    assert [rule["alert"] for rule in rules() if not rule["annotations"].keys() >= {"summary", "todo"}] == []


# --- the dashboard


async def test_the_dashboard_shows_every_metric_of_engine_and_bot_and_no_other() -> None:
    panels = json.loads(await asyncio.to_thread(DASHBOARD.read_text))["panels"]
    shown = named_metrics(target["expr"] for panel in panels for target in panel.get("targets", ()))
    known = await known_metrics()

    assert shown <= known
    assert {name for name in known if name.startswith("locanda")} <= shown


def test_the_panels_of_the_dashboard_lie_beside_each_other_under_ids_of_their_own() -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    places = [
        (x, y)
        for at in (panel["gridPos"] for panel in panels)
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(set(places)) == len(places)
    assert len({panel["id"] for panel in panels}) == len(panels)


# --- the proxy's configuration


@pytest.mark.parametrize("site", [":8080", "http://", "https://cards.example.org"])
def test_caddy_accepts_its_configuration_for_every_address(site: str) -> None:
    run(
        "caddy",
        *("adapt", "--validate", "--adapter", "caddyfile", "--config", "deploy/Caddyfile"),
        SITE=site,
        TRUSTED_PROXIES="private_ranges",
    )


def test_compose_gives_the_configuration_every_value_that_it_asks_for() -> None:
    variables = set(re.findall(r"\{\$(\w+)\}", (DEPLOY / "Caddyfile").read_text()))
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]

    assert variables == set(services["proxy"]["environment"]) == set(services["public"]["environment"])


# --- systemd


def unit(name: str) -> list[str]:
    return (DEPLOY / "systemd" / f"locanda-{name}.service").read_text().splitlines()


def test_the_units_of_systemd_give_a_service_no_more_rights_than_its_container() -> None:
    hardening = [
        "CapabilityBoundingSet=",
        "DynamicUser=yes",
        "MemoryDenyWriteExecute=yes",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "SystemCallFilter=@system-service",
    ]
    engine, bot = unit("engine"), unit("telegram")
    assert set(hardening) <= set(engine)
    assert set(engine[engine.index("DynamicUser=yes") :]) == set(bot[bot.index("DynamicUser=yes") :])
    for service, lines in (("engine", engine), ("telegram", bot)):
        assert f"ExecStart=/opt/locanda/.venv/bin/python -m services.{service}" in lines
        assert any(line.startswith("MemoryMax=") for line in lines)
        assert any(line.startswith("TasksMax=") for line in lines)


def test_the_units_of_systemd_leave_a_service_what_its_process_is_measured_by() -> None:
    """`ProcSubset=pid` hides /proc/stat, without which prometheus_client measures neither memory nor open files."""
    for service in ("engine", "telegram"):
        assert not any(line.startswith("ProcSubset=") for line in unit(service))


# --- scripts


def shell_scripts() -> list[str]:
    folders = [ROOT / name for name in ("scripts", "services", ".ci")]
    files = [file for folder in folders for file in folder.iterdir() if file.is_file() and not file.suffix]
    return [str(file.relative_to(ROOT)) for file in files if SHELL.match(file.read_text().partition("\n")[0])]


@pytest.mark.slow
def test_shellcheck_finds_nothing_in_any_script() -> None:
    scripts = shell_scripts()
    assert {"scripts/redis-backup", "scripts/compose-backup", "services/healthcheck", ".ci/run"} <= set(scripts)
    run("shellcheck", *scripts)


def test_hadolint_finds_nothing_in_the_file_of_the_images() -> None:
    run("hadolint", "services/Dockerfile")
