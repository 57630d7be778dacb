"""Remarks at a table, on pseudo-terminals."""

from pathlib import Path

import pytest

from tests.terminal.playing import link_in
from tests.terminal.pseudo_terminal import (
    run_locanda,
)

pytestmark = pytest.mark.slow


async def test_people_say_a_word_at_the_table_and_mute_the_others(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path / "a", "play", "gatto_rosso", "--server", server, "--name", "Mara") as mara:
        link = link_in(await mara.wait_for("locanda play --table"))
        async with run_locanda(tmp_path / "b", "play", "--table", link, "--name", "Bruno") as bruno:
            await mara.wait_for("Bruno sits down")
            async with run_locanda(tmp_path / "c", "play", "--table", link, "--name", "Carla"):
                # Carla must follow the table by now, because remarks are not stored
                await bruno.wait_for("Carla sits down")
            mara.type_line("say")
            await mara.wait_for("Well played")
            mara.type_line("say 2")
            await mara.wait_for("Mara: “Well played”")
            await bruno.wait_for("Mara: “Well played”")
            mara.type_line("mute")
            await mara.wait_for("What others say is hidden.")
            bruno.type_line("say 3")
            await bruno.wait_for("Bruno: “Lucky you!”")
            async with run_locanda(tmp_path / "d", "play", "--table", link, "--name", "Dora"):
                assert "Bruno: “" not in await mara.wait_for("Dora sits down")
            mara.type_line("mute")
            await mara.wait_for("What others say is shown.")
            mara.type_line("mute bruno")
            await mara.wait_for("What Bruno says is hidden.")
            mara.type_line("mute bruno")
            await mara.wait_for("What Bruno says is shown.")
            mara.type_line("mute brunella")
            await mara.wait_for("Nobody at this table is called brunella.")
