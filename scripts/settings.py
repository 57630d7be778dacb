"""Generates docs/settings.md: every setting of the services, from the code and .env.example."""

import ast
import inspect
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from services.common.settings import ServiceSettings
from services.engine.settings import EngineSettings
from services.telegram.settings import BotSettings

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "settings.md"
HEAD = """# Settings

You set these in the environment. All are optional. `make run` and docker compose also read a file `.env`: start with
`.env.example`. To keep a secret in a file, add `_FILE` to the name and give the file's path (docker compose:
`deploy/secrets.yml`). [Limits](scaling.md#limits) shows what each limit costs.
"""
SECTIONS: tuple[tuple[str, type[ServiceSettings]], ...] = (
    ("Engine and bot", ServiceSettings),
    ("Engine", EngineSettings),
    ("Bot", BotSettings),
)
COMPOSE = """
## docker compose only

Here `ENGINE_PORT` and `TELEGRAM_WEBHOOK_PORT` are ports of this machine, closed to the outside.

| setting | default | meaning |
| --- | --- | --- |
| `COMPOSE_PROFILES` | empty | `public`, `monitoring`, `backup`, separated by commas |
| `ENGINES` | `1` | number of engines |
| `IMAGES` | empty | published images, such as `ghcr.io/OWNER/locanda`; empty builds them here |
| `REDIS_PASSWORD` | `locanda` | Redis' password, letters and digits only; `make up` draws one |
| `REDIS_IMAGE`, `PYTHON_IMAGE`, `CADDY_IMAGE` | see `docker-compose.yml` | the base images |
| `PROMETHEUS_IMAGE`, `ALERTMANAGER_IMAGE`, `REDIS_EXPORTER_IMAGE` | see `docker-compose.yml` | images of `monitoring` |
| `BLACKBOX_IMAGE`, `GRAFANA_IMAGE` | see `docker-compose.yml` | images of `monitoring` |
| `PROMETHEUS_PORT`, `GRAFANA_PORT` | `9090`, `3000` | ports of this machine for the profile `monitoring` |
| `GRAFANA_PASSWORD` | `locanda` | password of the user `admin`, set at Grafana's first start |
"""


def document() -> str:
    """Return the page in Markdown."""
    shown: set[str] = {"redis_url"}
    parts = [HEAD]
    for title, type_ in SECTIONS:
        fields = [field for field in msgspec.structs.fields(type_) if field.name not in shown]
        shown.update(field.name for field in fields)
        rows = list(_rows(type_, fields))
        if type_ is ServiceSettings:
            field = next(setting for setting in msgspec.structs.fields(EngineSettings) if setting.name == "redis_url")
            rows += _rows(EngineSettings, [field])
        head = f"\n## {title}\n\n| setting | default | meaning | allowed |\n| --- | --- | --- | --- |\n"
        parts.append(head + "\n".join(rows) + "\n")
    return "".join([*parts, COMPOSE])


def _rows(type_: type[ServiceSettings], fields: list[msgspec.structs.FieldInfo]) -> Iterator[str]:
    expectations = {**EngineSettings.EXPECTATIONS, **BotSettings.EXPECTATIONS}
    explained = _docstrings(type_)
    for field in fields:
        default = f"`{field.default}`" if field.default not in ("", None) else "empty"
        what = re.sub(r"`[a-z]+_[a-z_]+`", lambda name: name[0].upper(), explained.get(field.name, ""))
        what = re.sub(r"\s+", " ", what).replace("|", "\\|")
        expected = expectations[field.name].removeprefix("must be ").removeprefix("a number from ").replace("|", "\\|")
        yield f"| `{field.name.upper()}` | {default} | {what} | {expected} |"


def _docstrings(type_: type) -> dict[str, str]:
    """Return the docstring of each field of a class."""
    (class_,) = ast.parse(inspect.getsource(type_)).body
    body = class_.body if isinstance(class_, ast.ClassDef) else []
    docstrings = {}
    for field, text in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            docstrings[field.target.id] = ast.literal_eval(text.value)
    return docstrings


if __name__ == "__main__":
    FILE.write_text(document())
