"""Problem types: each has a cause, texts and a page in both languages. Each refusal code is declared once."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from locanda import explanations
from locanda.explanations import RefusalCode
from locanda.games import base
from locanda.games.registry import WIRE_TYPES, folder
from locanda.games.rules import GAMES
from locanda.messages import JsonObject, Language
from services.engine.http.api.handlers import ADMIN_ROUTES, ROUTES
from services.engine.http.document import problem_pages as pages
from services.engine.http.problems.responses import example
from services.engine.http.problems.types import PROBLEM_TYPES, REFUSAL_TYPES, REFUSALS_BY_GAME, ProblemTexts
from tests.engine.http.engine_server import ApiResponse, RunningEngine
from tests.engine.http.problem_causes import PROBLEM_CAUSES, refused
from tests.engine.http.server.test_responses import assert_strict

ENGINE = Path(__file__).parents[4] / "services" / "engine"
MAKERS = ("Refusal", "TableError", "ProblemError", "HttpProblemError")
OPTIONAL = ("detail", "field", "facts", "version")


def test_every_problem_type_has_a_cause_or_is_a_refusal() -> None:
    assert PROBLEM_TYPES.keys() == PROBLEM_CAUSES.keys() | REFUSAL_TYPES.keys()


@pytest.mark.parametrize("code", PROBLEM_TYPES)
async def test_a_problem_response_is_as_its_type_declares_with_strict_headers(engine: RunningEngine, code: str) -> None:
    answers = await refused(engine, code) if code in REFUSAL_TYPES else [await PROBLEM_CAUSES[code](engine)]
    assert answers
    for answer in answers:
        assert (answer.code, answer.status) == (code, PROBLEM_TYPES[code].status)
        assert (answer.json["title"], answer.json["type"]) == (PROBLEM_TYPES[code].title, f"/problems/{code}")
        assert answer.headers["Content-Language"] == "en"
        assert "Accept-Language" in answer.headers["Vary"]
        assert_strict(answer.headers)
    shown = _members(msgspec.to_builtins(example(code)))
    assert shown in [_members(answer.json) for answer in answers]


def _members(problem: JsonObject) -> list[str]:
    """The optional members of a problem, and the names of its facts."""
    return [name for name in OPTIONAL if name in problem] + sorted(problem.get("facts", {}))


def _codes(files: Iterable[Path]) -> set[str]:
    """The codes of refusals, table errors and problems in these modules."""
    trees = [ast.parse(file.read_text("utf-8")) for file in files]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {code for call in calls if (code := _code(call))}


def _code(call: ast.Call) -> str | None:
    """The code in a call such as `Refusal("must_lead")` or `MUST_LEAD.refuse()`."""
    match call:
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(code)), *_]) if name in MAKERS:
            return code
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="refuse")):
            return name.lower()
    return None


def test_every_code_in_the_engine_has_a_problem_type() -> None:
    games = Path(base.__file__).parent
    used = _codes([*ENGINE.rglob("*.py"), *games.rglob("*.py")])
    assert {"must_beat", "not_host", "too_many_requests"} < used
    assert used <= PROBLEM_TYPES.keys()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_declares_the_refusals_that_it_makes(game: str) -> None:
    made = _codes(folder(game).rglob("*.py"))
    assert made - {"deal_over", "impossible"} == set(REFUSALS_BY_GAME[game])


def test_a_refusal_is_declared_once_under_the_name_of_its_code() -> None:
    for module in (explanations, *WIRE_TYPES.values()):
        for name, value in vars(module).items():
            if isinstance(value, RefusalCode):
                assert name == value.code.upper()
                assert value is getattr(explanations, name, value)
    own = [code for codes in REFUSALS_BY_GAME.values() for code in codes if not hasattr(explanations, code.upper())]
    assert len(own) == len(set(own))


def test_a_shared_refusal_belongs_to_several_games() -> None:
    for shared in (value.code for value in vars(explanations).values() if isinstance(value, RefusalCode)):
        assert sum(shared in codes for codes in REFUSALS_BY_GAME.values()) > 1
    assert {code for codes in REFUSALS_BY_GAME.values() for code in codes} == REFUSAL_TYPES.keys()


@pytest.mark.parametrize("code", PROBLEM_TYPES)
def test_a_problem_type_has_texts_in_both_languages(code: str) -> None:
    english, italian = PROBLEM_TYPES[code].texts("en"), PROBLEM_TYPES[code].texts("it")
    for texts in (english, italian):
        assert all(texts)
        assert not texts.title.endswith(".")
        assert texts.explanation.endswith(".")
        assert texts.remedy.endswith(".")
    for part in ProblemTexts._fields:
        assert getattr(english, part) != getattr(italian, part)
    assert _quoted(english) == _quoted(italian)


def _quoted(texts: ProblemTexts) -> set[str]:
    return set(re.findall(r"`[^`]+`", " ".join(texts)))


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_two_problems_have_the_same_title(language: Language) -> None:
    assert len({type_.texts(language).title for type_ in PROBLEM_TYPES.values()}) == len(PROBLEM_TYPES)


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
async def test_the_title_comes_in_the_language_of_highest_quality(
    engine: RunningEngine, accept: str | None, language: Language
) -> None:
    answer = await engine.get("/nowhere", headers={} if accept is None else {"Accept-Language": accept})
    assert answer.headers["Content-Language"] == language
    assert answer.json["title"] == PROBLEM_TYPES["not_found"].texts(language).title


async def test_languages_in_several_headers_count_together(engine: RunningEngine) -> None:
    headers = [("Accept-Language", "en;q=0.5"), ("Accept-Language", "it")]
    async with engine.session.get(engine.url("/nowhere"), headers=headers) as answer:
        assert answer.headers["Content-Language"] == "it"


async def test_vary_names_all_that_a_response_depends_on(engine: RunningEngine) -> None:
    answer = await engine.get("/v1/tables/x")
    assert answer.headers["Vary"] == "Authorization, Accept, Accept-Language"


async def _page(engine: RunningEngine, path: str, language: str) -> ApiResponse:
    answer = await engine.get(path, headers={"Accept-Language": language})
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert (answer.headers["Content-Language"], answer.headers["Vary"]) == (language, "Accept-Language, Accept")
    return answer


@pytest.mark.parametrize("language", ["en", "it"])
async def test_every_problem_has_a_page_that_is_complete_and_works_offline(
    engine: RunningEngine, language: Language
) -> None:
    docs = (await engine.get("/docs")).body.decode()
    anchors = set(re.findall(r'id="([^"]+)"', docs))
    index = (await _page(engine, "/problems", language)).body.decode()
    for code, type_ in PROBLEM_TYPES.items():
        page = (await _page(engine, f"/problems/{code}", language)).body.decode()
        plain = page.replace("&#x27;", "'").replace("&quot;", '"').replace("<code>", "`").replace("</code>", "`")
        assert f'<html lang="{language}">' in page
        for part in type_.texts(language):
            assert part in plain
        assert f'"code": "{code}"' in plain
        assert set(re.findall(r'href="\.\./docs#([^"]+)"', page)) <= anchors
        assert "<script" not in page
        assert not re.findall(r'(?:src|href)="(?!(\.\./)?(docs|problems)|[a-z_]+")', page)
        assert f'href="problems/{code}"' in docs
        assert f'href="problems/{code}"' in index


@pytest.mark.parametrize("language", ["en", "it"])
async def test_a_program_gets_what_a_problem_means_as_json(engine: RunningEngine, language: Language) -> None:
    headers = {"Accept": "application/json", "Accept-Language": language}
    listed = (await engine.get("/problems", headers=headers)).json["problems"]
    assert {described["code"] for described in listed} == {*PROBLEM_TYPES}
    answer = await engine.get("/problems/stale", headers=headers)
    assert answer.headers["Content-Type"] == "application/json"
    assert (answer.headers["Content-Language"], answer.headers["Vary"]) == (language, "Accept-Language, Accept")
    assert answer.json in listed
    assert answer.json["remedy"] == PROBLEM_TYPES["stale"].texts(language).remedy
    for accept in ("text/html, application/json;q=0.9", "*/*", "image/png"):
        page = await engine.get("/problems/stale", headers={"Accept": accept})
        assert page.headers["Content-Type"].startswith("text/html")


async def test_an_unknown_problem_has_no_page(engine: RunningEngine) -> None:
    assert (await engine.get("/problems/made_up")).code == "not_found"


async def test_a_page_lists_the_calls_that_answer_with_the_problem(engine: RunningEngine) -> None:
    page = (await engine.get("/problems/not_host")).body.decode()
    assert "POST /v1/tables/{table}/start" in page
    assert "GET /v1/games" not in page


def test_the_committed_page_is_up_to_date() -> None:
    assert pages.MARKDOWN_FILE.read_text("utf-8") == pages.markdown((*ROUTES, *ADMIN_ROUTES)), "run: make openapi"
