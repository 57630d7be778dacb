"""The commands and the Python program of the README do what the README says."""

import json
import re
import sys
from pathlib import Path

from tests.e2e.processes import ROOT, output_of
from tests.terminal.pseudo_terminal import run_on_terminal

README = (ROOT / "README.md").read_text("utf-8")
CURL_TIMED_OUT = 28
TERMINAL, CURL, PYTHON = re.findall(r"```(?:sh|python)\n(.*?)```", README, re.DOTALL)


async def test_the_command_plays_in_a_terminal(engine_url: str, tmp_path: Path) -> None:
    main = "import sys; from locanda.command import main; sys.exit(main())"
    script = f"locanda() {{ '{sys.executable}' -c '{main}' \"$@\"; }}\n{TERMINAL}"
    async with run_on_terminal(tmp_path, "bash", "-c", script, LOCANDA_SERVER=engine_url) as anna:
        assert "Anna (you)" in await anna.wait_for_prompt()
        anna.type_line("q")
        assert await anna.wait_for_exit() == 0


async def test_the_five_minutes_with_curl_show_a_table_its_moves_and_its_events(engine_url: str) -> None:
    script = f"set -e\n{CURL}".replace("--max-time 5 $api", "--max-time 1 $api").replace("events\n", "events || true\n")
    output = await output_of(engine_url, "bash", "-c", script, exit_codes=(0, CURL_TIMED_OUT))
    seen, _, rest = output.partition("\n}\n")
    table = json.loads(seen + "}")
    assert [seat["name"] for seat in table["seats"]] == ["Anna", "Bruno", "Carla"]
    assert len(table["deal"]["hand"]) == 4
    assert '"moves"' in rest
    assert "event: change" in rest


async def test_the_python_snippet_plays_a_deal_to_its_end(engine_url: str) -> None:
    output = await output_of(engine_url, sys.executable, "-c", PYTHON)
    assert re.fullmatch(r"Captured: \(\d+, \d+, \d+\)\n", output)
