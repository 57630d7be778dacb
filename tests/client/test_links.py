"""Links to tables: the terminal client, the export and agents accept the same forms of links."""

from importlib import import_module

import pytest

from locanda import export
from locanda.messages.links import TableLink, parse_link
from services.terminal.__main__ import main as terminal

HERE = "http://127.0.0.1:8080"
TABLE = "-AAAAAAAAAAAAAAAAAAAA_"
LINKS = {
    TABLE: HERE,
    f"{HERE}/t/{TABLE}": HERE,
    f"https://inn.example/games/t/{TABLE}": "https://inn.example/games",
    f"https://inn.example/games/t/{TABLE}/": "https://inn.example/games",
    f"https://inn.example/games/v1/tables/{TABLE}": "https://inn.example/games",
    f"https://inn.example/#/table/{TABLE}": "https://inn.example",
    f"https://inn.example#/table/{TABLE}": "https://inn.example",
}
"""The expected server of the table, by form of link."""
NONE = ["table", "A" * 23, f"ftp://x/v1/tables/{TABLE}", f"{HERE}/v1/games/{TABLE}", f"inn.example/t/{TABLE}"]


@pytest.mark.parametrize(("text", "server"), LINKS.items())
def test_a_table_is_named_by_its_id_or_by_its_link(text: str, server: str) -> None:
    assert parse_link(text, HERE) == TableLink(server, TABLE)
    assert parse_link(TableLink(server, TABLE).url, HERE) == TableLink(server, TABLE)


@pytest.mark.parametrize("text", ["", *NONE])
def test_a_text_that_names_no_table_gives_no_link(text: str) -> None:
    assert parse_link(text, HERE) is None


@pytest.mark.parametrize("text", NONE)
def test_every_client_says_that_a_text_names_no_table(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        terminal(["watch", text])
    assert export.main([text]) == 1
    with pytest.raises(SystemExit):
        import_module("locanda.mcp").main(["--table", text], {"LOCANDA_TOKEN": "abc"})
    said = capsys.readouterr().err
    assert said.count("link") >= 3
    assert "Traceback" not in said
