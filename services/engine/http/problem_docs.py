"""The problems as a page of the repository.

`python -m services.engine.http.problem_docs` writes it to `docs/problems.md`.
"""

import json
from pathlib import Path

import msgspec

from services.engine.http.problem_pages import HEADINGS, calls
from services.engine.http.problems import KINDS, example

FILE = Path(__file__).parents[3] / "docs" / "problems.md"


def markdown() -> str:
    """Return the page."""
    headings = HEADINGS["en"]
    there = "A running engine shows the same at `/problems`, in both languages."
    return f"# {headings.problems}\n\n{headings.about}\n\n{there}\n" + "".join(_section(code) for code in KINDS)


def _section(code: str) -> str:
    kind, headings = KINDS[code], HEADINGS["en"]
    told = json.dumps(msgspec.to_builtins(example(code)), ensure_ascii=False)
    routes = ", ".join(f"`{route.method} {route.path}`" for route in calls(code)) or headings.any_path
    return (
        f"\n## {code}\n\n"
        f"{kind.status}. **{kind.en.title}** (*{kind.it.title}*).\n\n"
        f"{kind.en.meaning}\n\n"
        f"{headings.remedy}: {kind.en.remedy}\n\n"
        f"{headings.calls}: {routes}\n\n"
        f"```json\n{told}\n```\n"
    )


if __name__ == "__main__":
    FILE.write_text(markdown(), encoding="utf-8")
