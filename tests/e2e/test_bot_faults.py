"""A match while Telegram fails and bot and engine are killed; `make bot-faults` plays many."""

from pathlib import Path

import pytest

from tests.bench.bot_faults.campaign import campaign


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_a_match_ends_and_every_screen_is_true_though_calls_fail_and_processes_are_killed(
    tmp_path: Path,
) -> None:
    report = await campaign(tmp_path, matches=1, at_once=1, seed=1)
    assert not report.problems, "\n".join(report.problems)
    assert report.ended.total() == 1
