"""The programs of docs/api-guide.md and docs/javascript.md run as they are printed, and play a match to its end."""

import re
import sys

import pytest

from tests.e2e.processes import ROOT, output_of
from tests.programs import program

GUIDE = (ROOT / "docs/api-guide.md").read_text("utf-8")
TEN_LINES = (ROOT / "docs/javascript.md").read_text("utf-8").split("```js\n")[1].split("```")[0]
CURL, PYTHON, JAVASCRIPT, PLAYOUTS, _EXPORT = re.findall(r"```(?:sh|python|js)\n(.*?)```", GUIDE, re.DOTALL)


async def test_the_commands_show_a_table_and_its_events(engine_url: str) -> None:
    output = await output_of(engine_url, "bash", "-c", f"set -e\n{CURL}")
    assert '"Pozzo"' in output
    assert '"words":{"language":"it"' in output
    assert "event: change" in output


@pytest.mark.costly
async def test_the_request_for_play_outs_plays_many_deals(engine_url: str) -> None:
    api = CURL.partition("\n")[0]
    output = await output_of(engine_url, "bash", "-c", f"set -e\n{api}\n{PLAYOUTS}")
    assert output.count('"done":true') == 500


async def test_the_python_program_plays_a_match(engine_url: str) -> None:
    output = await output_of(engine_url, sys.executable, "-c", PYTHON)
    assert "Anna cala" in output
    assert re.search(r"🥇 (Anna|Bruno) · \d+ cart", output)


async def test_the_javascript_program_plays_a_match(engine_url: str) -> None:
    output = await output_of(engine_url, program("node"), "--input-type=module", "-e", JAVASCRIPT)
    assert "Anna cala" in output
    assert re.search(r"🥇 (Anna|Bruno) · \d+ cart", output)


async def test_the_ten_lines_with_the_module_of_the_page_play_a_match(engine_url: str) -> None:
    module = (ROOT / "services/web/client.js").as_uri()
    lines = TEN_LINES.replace("./client.js", module).replace('"hard"', '"easy"')
    output = await output_of(engine_url, program("node"), "--input-type=module", "-e", lines)
    assert "Anna cala" in output
