"""Pytest plugin: collects the tests of a game from a file `subject.py` that defines `SUBJECT`.

Pytest loads the plugin wherever Locanda is installed. So it imports the tests, and the packages that they need, only
for such a file.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from runpy import run_path

import pytest

FILE = "subject.py"
pytest.register_assert_rewrite("locanda.testing")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--write-golden`."""
    text = "write golden.jsonl of each game under test, instead of comparing it"
    parser.getgroup("locanda").addoption("--write-golden", action="store_true", help=text)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the tests of a game."""
    if file_path.name != FILE or "locanda.testing" not in file_path.read_text("utf-8", "replace"):
        return None
    collected: pytest.Collector = GameFile.from_parent(parent, path=file_path)
    return collected


class GameFile(pytest.File):
    """The tests of a game, from its `subject.py`."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the laws, the worked positions, the golden play-throughs and the refusals as tests."""
        try:
            from locanda.games.registry import LEFT_OUT  # noqa: PLC0415  (imports packages of the optional extra)
            from locanda.testing import suite  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise self.CollectError(f"{error.name} is missing: the extra `games` of locanda brings it") from None
        try:
            subject = run_path(str(self.path))["SUBJECT"]
        except KeyError as error:
            reasons = [f"{game} is left out: {reason}" for game, reason in LEFT_OUT.items()]
            raise self.CollectError("\n".join([f"{self.path.name}: KeyError: {error}", *reasons])) from error
        write = bool(self.config.getoption("write_golden"))
        for name, test in suite.tests_of(subject, self.path.parent, write=write):
            item: pytest.Item = GameItem.from_parent(self, name=f"{name}[{subject.game.name}]", test=test)
            yield item


class GameItem(pytest.Item):
    """A test of a game."""

    def __init__(self, name: str, parent: pytest.Collector, test: Callable[[], object]) -> None:
        super().__init__(name, parent)
        self._test = test

    def runtest(self) -> None:
        """Run the test."""
        self._test()

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the file and the name of the test."""
        return self.path, None, self.name
