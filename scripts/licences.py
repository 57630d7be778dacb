"""Generates docs/licences.md: the images' packages and licences, from requirements/ and the installed packages."""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
IMAGES = {"engine": "The engine", "telegram": "The bot"}
IN_THE_IMAGE = {
    "python_full_version": "3.13.0",
    "python_version": "3.13",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "platform_system": "Linux",
    "sys_platform": "linux",
    "os_name": "posix",
    "extra": "",
}
"""Environment to evaluate requirements' markers in. It names no machine type, as the images are built for several."""
PINNED = re.compile(r"^[A-Za-z0-9][^\\#]*(?=\s\\?)", re.MULTILINE)
NAMES = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "Python Software Foundation License": "PSF-2.0",
    "BSD": "BSD-3-Clause",
}
"""SPDX names of licences that packages name differently."""

HEAD = """# Licences

Locanda itself is under the MIT licence (`LICENSE`). This page lists what its images ship beside it. `make licences`
writes it from `requirements/` and the metadata of the installed packages; a test fails where it is not up to date.
Every package brings the text of its licence in its `.dist-info` folder under `/venv`.

## All images

| what | licence |
| --- | --- |
| CPython, in `python:3.13-slim` | PSF-2.0 |
| Debian's packages, in the same base image | each its own, under `/usr/share/doc/*/copyright` in the image |
"""
TAIL = """
**python-telegram-bot is under the LGPL**, version 3 (`LGPL-3.0-only`). The bot uses it as an unchanged library that
anybody may replace: it lies as Python files under `/venv/lib/python3.13/site-packages/telegram`, and an image with
another version of it takes one line in `requirements/telegram.txt` and a build. If you pass the image on, pass on
these rights with it, the licence's text, and where to get its source:
<https://github.com/python-telegram-bot/python-telegram-bot>.

## The page for browsers

`services/web/vendor/` has lit-html (BSD-3-Clause) and uqr, which draws QR codes (MIT), unchanged and each with its
licence.

## The cards

`services/web/art/` has pictures of Microsoft's Fluent emoji (MIT; their notice is `LICENSE.fluent` beside them) and
letters of Bitter and Alegreya as paths (SIL Open Font License 1.1, which asks nothing of a drawing made with a font).
All else is drawn by `art/`.
The bot's image has Bitter itself too, `services/telegram/fonts/`, with its licence beside it.

## Redis

docker-compose.yml runs `redis:8-alpine` as Redis publishes it: Redis 8 is under RSALv2, SSPLv1 or AGPLv3, at the user's
choice; it is neither changed nor linked.
"""


def page() -> str:
    """Return the page in Markdown."""
    return HEAD + "".join(_image(name, title) for name, title in IMAGES.items()) + TAIL


def _image(name: str, title: str) -> str:
    rows = "\n".join(f"| {package} | {version} | {licence} |" for package, version, licence in _packages(name))
    where = f"`services/Dockerfile`, target `{name}`"
    head = f"## {title}\n\n{where}\n\n| package | version | licence |\n| --- | --- | --- |"
    return f"\n{head}\n{rows}\n"


def _packages(image: str) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the version and the licence of every package in an image."""
    for line in PINNED.findall((ROOT / "requirements" / f"{image}.txt").read_text()):
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(dict(IN_THE_IMAGE)):
            yield requirement.name, str(requirement.specifier).removeprefix("=="), licence_of(requirement.name)


def licence_of(package: str) -> str:
    """Return the licence of an installed package, as its SPDX name if known."""
    metadata = distribution(package).metadata
    if "License-Expression" in metadata:
        return metadata["License-Expression"]
    classifiers = metadata.get_all("Classifier") or []
    named = [
        classifier.rpartition(" :: ")[2]
        for classifier in classifiers
        if classifier.startswith("License :: OSI Approved :: ")
    ]
    text, *_ = metadata.get_all("License") or [""]
    licence = text if text and "\n" not in text else " OR ".join(named)
    return NAMES.get(licence, licence)


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.exit()
