"""The package `locanda`: what its wheel contains, and its console script, from a wheel and in a source tree."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from locanda import __version__, command
from tests.e2e.processes import ROOT


def run(*command: str, cwd: Path, **environment: str) -> str:
    """Run a command, which must succeed."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(cwd), "LC_ALL": "C.UTF-8"} | environment
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_wheel_installs_one_import_name_with_client_wire_types_and_commands(tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), cwd=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = {"shared/locanda": "locanda", "services/terminal": "locanda/terminal"}
    expected = {
        f"{package}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, package in sources.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == expected

    site = tmp_path / "site"
    install = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site), str(wheel))
    run(sys.executable, *install, cwd=tmp_path)
    installed = {"PYTHONPATH": str(site)}
    program = "import locanda.client; from locanda.games.rules import GAMES; print(locanda.__file__, *GAMES)"
    assert run(sys.executable, "-c", program, cwd=tmp_path, **installed).startswith(str(site))
    assert run(str(site / "bin/locanda"), "--version", cwd=tmp_path, **installed) == f"locanda {__version__}\n"


def test_the_console_script_runs_in_a_source_tree(tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel:editable", "-d", str(tmp_path), cwd=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    (entry_points,) = site.glob("*.dist-info/entry_points.txt")
    assert "locanda = locanda.command:main\n" in entry_points.read_text()
    script = "import site, sys; site.addsitedir(sys.argv.pop(1)); from locanda.command import main; sys.exit(main())"
    assert run(sys.executable, "-c", script, str(site), "--version", cwd=tmp_path).startswith("locanda ")


def test_without_the_terminals_libraries_the_console_script_names_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_rich(name: str) -> None:
        raise ModuleNotFoundError(f"No module named 'rich' for {name}", name="rich")

    monkeypatch.setattr(command, "import_module", without_rich)
    assert command.main() == 1
    assert capsys.readouterr().err == command.MISSING.format("rich", "terminal") + "\n"


@pytest.mark.parametrize(("option", "expected"), [("--version", "locanda "), ("--help", "usage: locanda ")])
def test_without_the_terminals_libraries_version_and_help_are_printed(
    option: str, expected: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_babel(name: str) -> None:
        raise ModuleNotFoundError(f"No module named 'babel' for {name}", name="babel")

    monkeypatch.setattr(command, "import_module", without_babel)
    monkeypatch.setattr(sys, "argv", ["locanda", option])
    assert command.main() == 0
    output = capsys.readouterr().out
    assert output.startswith(expected)
    assert ("docs/python.md says how" in output) == (option == "--help")


def test_the_terminal_runs_without_what_windows_does_not_have(tmp_path: Path) -> None:
    absent = "fcntl", "grp", "pwd", "resource", "termios", "uvloop"
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({absent!r})); "
        "from services.terminal.__main__ import main; main(['--help'])"
    )
    path = {"PYTHONPATH": f"{ROOT}:{ROOT / 'shared'}"}
    assert run(sys.executable, "-c", program, cwd=tmp_path, **path).startswith("usage: locanda ")
