"""Pages about the problem types, in both languages: an HTML list, a page of each type, and `docs/problems.md`."""

import json
from collections.abc import Iterable
from html import escape
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import TypeAlias

import msgspec

from locanda.games.base import N_
from locanda.messages import Language
from locanda.translations import translations_in
from services.engine.http.api.route import Route
from services.engine.http.document.operations import operation_id
from services.engine.http.problems.responses import example
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.http.server.responses import html_document, inline, paragraphs

MARKDOWN_FILE = Path(__file__).parents[4] / "docs" / "problems.md"
WIDTH = 120

PROBLEMS = N_("Problems")
ABOUT = N_(
    "Every error is a problem (RFC 9457). Programs use its `code`, which never changes. The `title` is in English or "
    "Italian, depending on `Accept-Language`. The optional `detail` is in English."
)
ALL_PROBLEMS = N_("All problems")
REMEDY = N_("What to do")
CALLS = N_("Calls that return it")
ANY_REQUEST = N_("Any call.")
EXAMPLE = N_("Example")

ABOVE = "../"
"""Relative link from a problem's page to the other pages. All links are relative, since a proxy may serve the engine
below any path."""

Routes: TypeAlias = tuple[Route, ...]


def answering(code: str, routes: Routes) -> list[Route]:
    """Return the routes that declare a problem; empty if any call can answer with it."""
    return [route for route in routes if code in route.problems]


# --- HTML


def list_page(language: Language) -> str:
    """Return the page that lists all problem types, by status."""
    gettext = translations_in(language).gettext
    sections = "".join(
        f"<section><h2>{status}</h2><table>{''.join(_row(code, language) for code in codes)}</table></section>"
        for status, codes in groupby(sorted(PROBLEM_TYPES, key=_status), key=_status)
    )
    main = f"<h1>{gettext(PROBLEMS)}</h1>{paragraphs(gettext(ABOUT))}{sections}"
    return html_document(f"Locanda: {gettext(PROBLEMS)}", language, _home(language), main)


def problem_page(code: str, language: Language, routes: Routes) -> str:
    """Return the page of a problem type, which lists those of `routes` that can answer with the problem."""
    gettext = translations_in(language).gettext
    type_ = PROBLEM_TYPES[code]
    texts = type_.texts(language)
    shown = json.dumps(msgspec.to_builtins(example(code, language)), indent=2, ensure_ascii=False)
    calls = _calls(answering(code, routes)) or f"<p>{gettext(ANY_REQUEST)}</p>"
    main = (
        f"<h1>{escape(texts.title)}</h1>"
        f"<p><code>{code}</code> · {type_.status}</p>{paragraphs(texts.explanation)}"
        f"<h2>{gettext(REMEDY)}</h2>{paragraphs(texts.remedy)}"
        f"<h2>{gettext(CALLS)}</h2>{calls}"
        f"<h2>{gettext(EXAMPLE)}</h2><pre>{escape(shown)}</pre>"
    )
    return html_document(texts.title, language, _home(language, ABOVE) + _siblings(type_.status, language), main)


def _status(code: str) -> int:
    return PROBLEM_TYPES[code].status


def _row(code: str, language: Language) -> str:
    title = inline(PROBLEM_TYPES[code].texts(language).title)
    return f'<tr><td><a href="problems/{code}"><code>{code}</code></a></td><td>{title}.</td></tr>'


def _home(language: Language, root: str = "") -> str:
    """Return links to the pages of the API; `root` is the relative path to the engine's root."""
    everything = translations_in(language).gettext(ALL_PROBLEMS)
    return f'<ul><li><a href="{root}docs">API</a></li><li><a href="{root}problems">{everything}</a></li></ul>'


def _siblings(status: int, language: Language) -> str:
    codes = [code for code in PROBLEM_TYPES if _status(code) == status]
    links = "".join(f'<li><a href="{code}">{code}</a></li>' for code in codes)
    return f"<h2>{translations_in(language).gettext(PROBLEMS)}</h2><ul>{links}</ul>"


def _calls(routes: Iterable[Route]) -> str:
    items = "".join(f"<li>{_call(route)}</li>" for route in routes)
    return f"<ul>{items}</ul>" if items else ""


def _call(route: Route) -> str:
    """Return a call, with a link to its description if the API page has one."""
    shown = f"<code>{route.method} {escape(route.path)}</code>"
    return shown if route.group.operators else f'<a href="{ABOVE}docs#{operation_id(route)}">{shown}</a>'


# --- docs/problems.md


def markdown(routes: Routes) -> str:
    """Return `docs/problems.md`: all problem types in English, with their Italian titles."""
    served = "A running engine shows the same at `/problems`, in both languages."
    sections = "".join(_markdown_section(code, routes) for code in PROBLEM_TYPES)
    return f"# {PROBLEMS}\n\n{_wrapped(ABOUT)}\n\n{served}\n{sections}"


def _markdown_section(code: str, routes: Routes) -> str:
    type_ = PROBLEM_TYPES[code]
    shown = json.dumps(msgspec.to_builtins(example(code)), ensure_ascii=False)
    calls = ", ".join(f"`{route.method} {route.path}`" for route in answering(code, routes)) or ANY_REQUEST
    title = f"{type_.status}. **{type_.title}** (*{type_.texts('it').title}*)."
    return (
        f"\n## {code}\n\n"
        f"{_wrapped(title)}\n\n"
        f"{_wrapped(type_.explanation)}\n\n"
        f"{_wrapped(f'{REMEDY}: {type_.remedy}')}\n\n"
        f"{_wrapped(f'{CALLS}: {calls}')}\n\n"
        f"```json\n{shown}\n```\n"
    )


def _wrapped(text: str) -> str:
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
