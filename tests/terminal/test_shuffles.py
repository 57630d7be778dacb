"""The terminal checks the shuffle for spectators and players who saw its commitment before the match."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.terminal.playing import against_computer, link_in, saved_seat
from tests.terminal.pseudo_terminal import (
    CONTROL,
    run_locanda,
)

pytestmark = pytest.mark.slow


async def test_a_spectator_who_saw_the_open_table_checks_the_shuffle(server: str, tmp_path: Path) -> None:
    async with run_locanda(tmp_path, "play", "gatto_rosso", "--server", server, "--name", "Mara") as mara:
        link = link_in(await mara.wait_for_prompt())
        async with run_locanda(tmp_path, "watch", link) as guest:
            await guest.wait_for("Mara")
            mara.type_line("c")
            await mara.wait_for_prompt()
            mara.type_line("")
            await mara.play()
            assert await guest.wait_for_exit() == 0
            seen = " ".join(CONTROL.sub("", guest.raw).split())
            assert "The shuffle matches the fingerprint that you saw before." in seen


def keep(home: Path, commitment: str) -> None:
    """Change the saved seat as if the table had shown a different commitment before the match."""
    (file,) = (home / ".local/state/locanda/seats").iterdir()
    saved = json.loads(file.read_bytes())
    assert len(saved["kept"]["1"]["client_seeds"]) == 1
    saved["kept"]["1"]["commitment"] = commitment
    file.write_text(json.dumps(saved))


@pytest.mark.parametrize(("commitment", "outcome"), [(None, "matches"), ("0" * 64, "does NOT match")])
async def test_what_was_seen_before_is_kept_with_the_seat(
    commitment: str | None, outcome: str, server: str, tmp_path: Path
) -> None:
    async with run_locanda(tmp_path, *against_computer(server)) as mara:
        await mara.wait_for_prompt()
        await mara.kill()
    table, _ = await asyncio.to_thread(saved_seat, tmp_path)
    if commitment is not None:
        await asyncio.to_thread(keep, tmp_path, commitment)
    async with run_locanda(tmp_path, "play", "--table", f"{server}/v1/tables/{table}") as mara:
        end = " ".join((await mara.play()).split())
        assert f"The shuffle {outcome}" in end
