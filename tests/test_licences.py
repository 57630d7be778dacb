"""docs/licences.md lists all packages in the images, with their licences."""

import importlib.util
import re
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
LICENCE_FILE = re.compile(r"dist-info/.*(licen[cs]e|copying|copyright)", re.IGNORECASE)


@pytest.fixture
def licences() -> ModuleType:
    spec = importlib.util.spec_from_file_location("licences", ROOT / "scripts" / "licences.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(licences: ModuleType) -> None:
    assert licences.PAGE.read_text() == licences.page(), "run make licences"


def test_every_package_has_a_licence_and_brings_its_text(licences: ModuleType) -> None:
    for image in licences.IMAGES:
        for package, _, licence in licences._packages(image):
            assert re.fullmatch(r"[A-Za-z0-9.+-]+( (OR|AND) [A-Za-z0-9.+-]+)*", licence), package
            brought = any(LICENCE_FILE.search(str(file)) for file in distribution(package).files or [])
            assert brought, package


def test_every_package_that_is_pinned_for_an_image_is_listed(licences: ModuleType) -> None:
    listed = {name: [package for package, *_ in licences._packages(name)] for name in licences.IMAGES}

    assert {"aiohttp", "redis", "uvloop", "hiredis"} <= {*listed["engine"]}
    assert {"python-telegram-bot", "httpx", "redis"} <= {*listed["telegram"]}
    assert not {"fakeredis", "lupa", "async-timeout"} & {*listed["engine"], *listed["telegram"]}


def test_copyleft_is_told_of_in_words(licences: ModuleType) -> None:
    page = licences.page()
    for package, licence in re.findall(r"^\| (\S+) \| \S+ \| (\S*GPL\S*) \|$", page, re.MULTILINE):
        assert f"**{package} is under the LGPL**" in page, licence
