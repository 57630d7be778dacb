"""Checks of settings: values that would keep a service from starting, and names that are not settings."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from services.common.settings import SettingsError
from services.doctor.checks import Finding

SERVICES = ("services.engine", "services.telegram")
"""The modules of the services. Each container image has only one of them."""
ASSIGNED = re.compile(r"^(?:export +)?([A-Za-z_][A-Za-z0-9_]*) *=", re.MULTILINE)
WRITTEN = "WRITTEN_SETTINGS"
"""Variable with the names in .env, separated by spaces, since containers do not see that file
(scripts/compose-doctor)."""


OF_COMPOSE = {
    *("COMPOSE_ANSI", "COMPOSE_CONVERT_WINDOWS_PATHS", "COMPOSE_ENV_FILES", "COMPOSE_FILE", "COMPOSE_IGNORE_ORPHANS"),
    *("COMPOSE_PARALLEL_LIMIT", "COMPOSE_PATH_SEPARATOR", "COMPOSE_PROGRESS", "COMPOSE_PROJECT_NAME"),
    *("COMPOSE_REMOVE_ORPHANS", "COMPOSE_STATUS_STDOUT", "DOCKER_CERT_PATH", "DOCKER_CONTEXT", "DOCKER_HOST"),
    "DOCKER_TLS_VERIFY",
}
"""Settings in .env that docker compose itself reads, in addition to those in .env.example."""


def bad_settings(environment: Mapping[str, str]) -> list[Finding]:
    """Return a finding for each service that these settings would keep from starting."""
    bad = []
    for name in (f"{service}.settings" for service in SERVICES if find_spec(service)):
        try:
            import_module(name).load(environment)
        except SettingsError as error:
            bad.append(Finding("wrong", str(error), "The service does not start with it; docs/settings.md has all."))
    return list(dict.fromkeys(bad))


def unknown_settings(environment: Mapping[str, str]) -> list[Finding]:
    """Return a finding for each name in .env that is not a setting. The known settings are read from .env.example."""
    known = set(ASSIGNED.findall(_text_of(Path(".env.example"))))
    written = set(ASSIGNED.findall(_text_of(Path(".env")))) | set(environment.get(WRITTEN, "").split())
    findings = []
    for name in sorted(written - known - OF_COMPOSE) if known else ():
        nearest = get_close_matches(name, sorted(known), 1)
        todo = f"Did you mean {nearest[0]}?" if nearest else "docs/settings.md lists all of them."
        findings.append(Finding("note", f"{name} in .env is not a setting of Locanda.", todo))
    return findings


def _text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
