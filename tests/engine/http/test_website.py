"""The page for browsers: its files, headers and addresses."""

import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import brotli
import pytest

from services.common.settings import SettingsError
from services.engine.app import website_of
from services.engine.http.website import Website
from services.engine.settings import EngineSettings
from tests.engine.http.engine_server import RunningEngine, running_engine

REFERENCE = re.compile(r'(?:src|href)="([^"]+)"')


SCRIPT = "f()"


def write(folder: Path, script: str = SCRIPT) -> Path:
    """Write a small page into a folder."""
    (folder / "style").mkdir(exist_ok=True)
    (folder / "index.html").write_text('<script src="static/{version}/other.js"></script>')
    (folder / "other.js").write_text(script)
    (folder / "style" / "base.css").write_text("/* why */\np {\n    margin: 0;\n}\n")
    (folder / "notes.md").write_text("not for the public")
    return folder


@pytest.fixture
def website(tmp_path: Path) -> Website:
    return Website(write(tmp_path), {})


@pytest.fixture
async def engine(website: Website) -> AsyncIterator[RunningEngine]:
    async with running_engine(website=website) as engine:
        yield engine


async def address_of_script(engine: RunningEngine) -> str:
    (version,) = REFERENCE.findall((await engine.get("/")).body.decode())
    return f"/{version}"


async def test_the_page_names_its_files_and_is_asked_for_anew_each_time(engine: RunningEngine) -> None:
    page = await engine.get("/")

    assert page.status == 200
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.headers["Cache-Control"] == "no-cache"
    assert (await engine.get(await address_of_script(engine))).body == SCRIPT.encode()


async def test_files_may_be_kept_for_ever(engine: RunningEngine) -> None:
    script = await engine.get(await address_of_script(engine))

    assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_an_address_never_stands_for_other_contents(website: Website, tmp_path: Path) -> None:
    assert website.version.encode() in website.page.plain
    assert Website(write(tmp_path), {}).version == website.version
    assert Website(write(tmp_path, script="g()"), {}).version != website.version


async def test_files_in_folders_are_served_and_others_are_not(engine: RunningEngine) -> None:
    address = await address_of_script(engine)

    assert (await engine.get(address.replace("other.js", "style/base.css"))).status == 200
    for wrong in ("notes.md", "style", "", "../index.html", "index.html"):
        assert (await engine.get(address.replace("other.js", wrong))).status == 404, wrong
    assert (await engine.get("/static/000000000000/other.js")).status == 404


async def test_a_page_may_load_its_own_files_and_nothing_inline(engine: RunningEngine) -> None:
    policy = (await engine.get("/")).headers["Content-Security-Policy"]

    assert policy.startswith("default-src 'none'; ")
    assert "script-src 'self' https://telegram.org;" in policy
    assert "unsafe" not in policy


async def test_telegram_may_frame_the_page_and_nobody_the_files(engine: RunningEngine) -> None:
    page, script = await engine.get("/"), await engine.get(await address_of_script(engine))

    assert "frame-ancestors 'self' https://web.telegram.org" in page.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in page.headers
    assert script.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate", "gzip"),
        ("gzip, deflate, br", "br"),
        ("gzip;q=0", None),
        ("identity", None),
        ("*", None),
    ],
)
async def test_files_are_sent_compressed_to_those_who_take_it(
    engine: RunningEngine, accepted: str, coding: str | None
) -> None:
    address = engine.url(await address_of_script(engine))
    async with (
        aiohttp.ClientSession(auto_decompress=False) as session,
        session.get(address, headers={"Accept-Encoding": accepted}) as answer,
    ):
        body = await answer.read()

    unpack = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}[coding]
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers.get("Content-Encoding") == coding
    assert unpack(body) == SCRIPT.encode()


def test_scripts_and_styles_are_served_without_comments_and_indents(tmp_path: Path) -> None:
    kept = 'f(`\n// text`); // why\n%s(g)("/** text */");\n'
    script = f"/**\n * @param {{string}} a\n */\n{kept % '    /** @type {any} */ '}    /** @type {{number}} */\n"
    files = Website(write(tmp_path, script), {}).files

    assert files["other.js"].plain.decode() == f"\n\n\n{kept % ''}\n"
    assert files["style/base.css"].plain.decode() == "p {\nmargin: 0;\n}\n"


async def test_head_is_answered_without_a_body(engine: RunningEngine) -> None:
    answer = await engine.ask("HEAD", "/")

    assert (answer.status, answer.body) == (200, b"")


async def test_without_a_folder_there_is_no_page() -> None:
    assert website_of(EngineSettings()) is None
    async with running_engine() as engine:
        answer = await engine.get("/")
        assert (answer.status, answer.headers["Location"]) == (302, "docs")


def test_a_folder_without_a_page_ends_the_start_with_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"^ENGINE_WEB must be a folder with an index\.html, or empty\.$"):
        website_of(EngineSettings(engine_web=str(tmp_path)))


def test_the_page_of_the_repository_loads_only_what_lies_beside_it() -> None:
    """The page's addresses are relative, so that a proxy may serve the page below any path."""
    folder = Path(__file__).parents[3] / "services" / "web"
    website = Website(folder, {})
    references = REFERENCE.findall((folder / "index.html").read_text())

    assert references
    for reference in references:
        start, versioned, name = reference.partition("static/{version}/")
        assert name in website.files if versioned else reference in website.root_files
        assert not versioned or not start
