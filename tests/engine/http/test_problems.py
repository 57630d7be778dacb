"""Every problem has a title and a page in both languages, and comes when it should."""

import ast
import re
from pathlib import Path

import msgspec
import pytest

from services.engine.http import problem_docs
from services.engine.http.kinds.kind import Words
from services.engine.http.problems import KINDS, REFUSALS, example
from shared.messages import Language
from tests.engine.http.house import Answer, House, JsonObject
from tests.engine.http.provocations import PROVOCATIONS, refused

ENGINE = Path(__file__).parents[3] / "services" / "engine"
OPTIONAL = ("detail", "field", "facts", "version")


def test_every_problem_can_be_provoked() -> None:
    assert KINDS.keys() == PROVOCATIONS.keys() | REFUSALS.keys()


@pytest.mark.parametrize("code", KINDS)
async def test_a_problem_comes_as_the_registry_says(engine: House, code: str) -> None:
    answers = await refused(engine, code) if code in REFUSALS else [await PROVOCATIONS[code](engine)]
    assert answers
    for answer in answers:
        assert (answer.code, answer.status) == (code, KINDS[code].status)
        assert (answer.json["title"], answer.json["type"]) == (KINDS[code].en.title, f"/problems/{code}")
        assert answer.headers["Content-Language"] == "en"
        assert "Accept-Language" in answer.headers["Vary"]
    shown = _said(msgspec.to_builtins(example(code)))
    assert shown in [_said(answer.json) for answer in answers]


def _said(problem: JsonObject) -> list[str]:
    """What a problem says besides what all do."""
    return [name for name in OPTIONAL if name in problem] + sorted(problem.get("facts", {}))


def _refusals(tree: ast.AST) -> set[str]:
    """The codes of the refusals and table errors that a module makes."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in ("Refusal", "TableError", "ProblemError")
        if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }


def test_every_code_that_the_engine_uses_is_in_the_registry() -> None:
    used = set[str]().union(*(_refusals(ast.parse(file.read_text("utf-8"))) for file in ENGINE.rglob("*.py")))
    assert {"must_beat", "not_host", "too_many_requests"} < used
    assert used <= KINDS.keys()


@pytest.mark.parametrize("code", KINDS)
def test_what_is_said_of_a_problem_is_there_in_both_languages(code: str) -> None:
    for words in (KINDS[code].en, KINDS[code].it):
        assert all(words)
        assert not words.title.endswith(".")
        assert words.meaning.endswith(".")
        assert words.remedy.endswith(".")
    for part in Words._fields:
        assert getattr(KINDS[code].en, part) != getattr(KINDS[code].it, part)
    assert _quoted(KINDS[code].en) == _quoted(KINDS[code].it)


def _quoted(words: Words) -> set[str]:
    return set(re.findall(r"`[^`]+`", " ".join(words)))


def test_no_two_problems_have_the_same_title() -> None:
    assert len({kind.en.title for kind in KINDS.values()}) == len(KINDS)
    assert len({kind.it.title for kind in KINDS.values()}) == len(KINDS)


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        (None, "en"),
        ("it", "it"),
        ("IT", "it"),
        ("it-CH", "it"),
        ("en-GB, it", "en"),
        ("it, en", "it"),
        ("it;q=0.4, en;q=0.5", "en"),
        ("it;q=0.5, en;q=0.4", "it"),
        ("de, it;q=0.3", "it"),
        ("de, *;q=0.1", "en"),
        ("en;q=0, *", "it"),
        ("it;q=0, *", "en"),
        ("it;q=0", "en"),
        ("en;q=0", "en"),
        ("it;q=2, en;q=0.1", "en"),
        ("it;q=nan, en;q=0.1", "en"),
        ("de", "en"),
        ("italian", "en"),
        ("", "en"),
        (";;,,q=", "en"),
    ],
)
async def test_the_title_comes_in_the_language_that_is_liked_best(
    engine: House, accept: str | None, language: Language
) -> None:
    answer = await engine.get("/nowhere", headers={} if accept is None else {"Accept-Language": accept})
    assert answer.headers["Content-Language"] == language
    assert answer.json["title"] == KINDS["not_found"].words(language).title


async def test_languages_in_several_headers_count_together(engine: House) -> None:
    headers = [("Accept-Language", "en;q=0.5"), ("Accept-Language", "it")]
    async with engine.session.get(engine.url("/nowhere"), headers=headers) as answer:
        assert answer.headers["Content-Language"] == "it"


async def test_caches_hear_of_all_that_an_answer_depends_on(engine: House) -> None:
    answer = await engine.get("/v1/tables/x")
    assert answer.headers["Vary"] == "Authorization, Accept, Accept-Language"


async def _page(engine: House, path: str, language: str) -> Answer:
    answer = await engine.get(path, headers={"Accept-Language": language})
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert (answer.headers["Content-Language"], answer.headers["Vary"]) == (language, "Accept-Language")
    return answer


@pytest.mark.parametrize("language", ["en", "it"])
async def test_every_problem_has_a_page_that_is_complete_and_works_offline(engine: House, language: Language) -> None:
    docs = (await engine.get("/docs")).body.decode()
    anchors = set(re.findall(r'id="([^"]+)"', docs))
    index = (await _page(engine, "/problems", language)).body.decode()
    for code, kind in KINDS.items():
        page = (await _page(engine, f"/problems/{code}", language)).body.decode()
        plain = page.replace("&#x27;", "'").replace("&quot;", '"').replace("<code>", "`").replace("</code>", "`")
        assert f'<html lang="{language}">' in page
        for part in kind.words(language):
            assert part in plain
        assert f'"code": "{code}"' in plain
        assert set(re.findall(r'href="/docs#([^"]+)"', page)) <= anchors
        assert "<script" not in page
        assert not re.findall(r'(?:src|href)="(?!/docs|/problems)', page)
        assert f'href="/problems/{code}"' in docs
        assert f'href="/problems/{code}"' in index


async def test_a_problem_that_there_is_not_has_no_page(engine: House) -> None:
    assert (await engine.get("/problems/made_up")).code == "not_found"


async def test_a_page_tells_which_calls_answer_with_the_problem(engine: House) -> None:
    page = (await engine.get("/problems/not_host")).body.decode()
    assert "POST /v1/tables/{table}/start" in page
    assert "GET /v1/games" not in page


def test_the_page_in_the_repository_is_up_to_date() -> None:
    assert problem_docs.FILE.read_text("utf-8") == problem_docs.markdown(), (
        "run: python -m services.engine.http.problem_docs"
    )
