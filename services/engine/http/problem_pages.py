"""What each problem means, as a page to read at the problem's own type, in the reader's language."""

import json
from functools import cache
from html import escape
from itertools import groupby
from typing import NamedTuple

import msgspec

from services.engine.http.html import inline, paragraphs, whole
from services.engine.http.operations import operation_id
from services.engine.http.problems import KINDS, example
from services.engine.http.route import Route
from shared.messages import Language


class Headings(NamedTuple):
    """What stands over the parts of a page."""

    problems: str
    about: str
    everything: str
    remedy: str
    calls: str
    any_path: str
    example: str


HEADINGS: dict[Language, Headings] = {
    "en": Headings(
        problems="Problems",
        about="Every error is a problem (RFC 9457). Programs go by its `code`, which never changes; the `title` comes "
        "in English or Italian, as `Accept-Language` asks for; `detail`, where there is one, is in English.",
        everything="All problems",
        remedy="What to do",
        calls="Calls that answer with it",
        any_path="Any request may.",
        example="Example",
    ),
    "it": Headings(
        problems="Problemi",
        about="Ogni errore è un problema (RFC 9457). I programmi guardano il suo `code`, che non cambia mai; il "
        "`title` è in italiano o in inglese, secondo `Accept-Language`; il `detail`, quando c'è, è in inglese.",
        everything="Tutti i problemi",
        remedy="Che cosa fare",
        calls="Chiamate che possono dare questa risposta",
        any_path="Qualunque richiesta.",
        example="Esempio",
    ),
}


@cache
def index(language: Language) -> str:
    """Return the page that lists every problem."""
    headings = HEADINGS[language]
    sections = "".join(
        f"<section><h2>{status}</h2><table>{''.join(_row(code, language) for code in codes)}</table></section>"
        for status, codes in groupby(sorted(KINDS, key=_status), key=_status)
    )
    main = f"<h1>{headings.problems}</h1>{paragraphs(headings.about)}{sections}"
    return whole(f"Locanda: {headings.problems}", language, _home(language), main)


@cache
def page(code: str, language: Language) -> str:
    """Return the page of a problem."""
    kind, headings = KINDS[code], HEADINGS[language]
    words = kind.words(language)
    told = json.dumps(msgspec.to_builtins(example(code, language)), indent=2, ensure_ascii=False)
    main = (
        f"<h1>{escape(words.title)}</h1>"
        f"<p><code>{code}</code> · {kind.status}</p>{paragraphs(words.meaning)}"
        f"<h2>{headings.remedy}</h2>{paragraphs(words.remedy)}"
        f"<h2>{headings.calls}</h2>{_calls(code, headings)}"
        f"<h2>{headings.example}</h2><pre>{escape(told)}</pre>"
    )
    siblings = [other for other in KINDS if KINDS[other].status == kind.status]
    return whole(words.title, language, _home(language) + _links(siblings, headings), main)


def calls(code: str) -> list[Route]:
    """Return the calls that may answer with a problem; none where that has nothing to do with the call."""
    from services.engine.http.routes import ROUTES  # noqa: PLC0415  (two of the routes serve these pages)

    return [route for route in ROUTES if code in route.problems]


def _status(code: str) -> int:
    return KINDS[code].status


def _row(code: str, language: Language) -> str:
    title = inline(KINDS[code].words(language).title)
    return f'<tr><td><a href="/problems/{code}"><code>{code}</code></a></td><td>{title}.</td></tr>'


def _home(language: Language) -> str:
    everything = HEADINGS[language].everything
    return f'<ul><li><a href="/docs">API</a></li><li><a href="/problems">{everything}</a></li></ul>'


def _links(codes: list[str], headings: Headings) -> str:
    links = "".join(f'<li><a href="/problems/{code}">{code}</a></li>' for code in codes)
    return f"<h2>{headings.problems}</h2><ul>{links}</ul>"


def _calls(code: str, headings: Headings) -> str:
    items = "".join(
        f'<li><a href="/docs#{operation_id(route)}"><code>{route.method} {escape(route.path)}</code></a></li>'
        for route in calls(code)
    )
    return f"<ul>{items}</ul>" if items else f"<p>{headings.any_path}</p>"
