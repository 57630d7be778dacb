"""The set-up of the Makefile: missing programs, moved folders, and no network."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.programs import LISTED, ROOT, program

FILES = ("Makefile", "scripts/install-programs", "scripts/make-venv", "scripts/programs.txt", "scripts/uv")
NO_SUDO = "#!/bin/sh\nexit 1\n"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder that contains only the files for the set-up."""
    folder = tmp_path / "locanda"
    for name in (*FILES, "requirements/uv.txt", "requirements/run.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def tried(clone: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command without the environment variables that `make` sets for the tests."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")} | environment
    return subprocess.run(command, cwd=clone, env=variables, capture_output=True, text=True, timeout=60, check=False)


# --- programs


@pytest.fixture
def bare(tmp_path: Path) -> str:
    """A PATH that contains only the programs that the script itself needs: none that it installs, and no installer."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "cat", "dirname", "grep", "id", "mkdir", "paste", "sed", "tr"):
        (folder / name).symlink_to(program(name))
    for name in ("apt-cache", "apt-get", "sudo"):
        (folder / name).write_text(NO_SUDO)
        (folder / name).chmod(0o755)
    return str(folder)


def test_what_is_missing_is_said_in_one_command_to_type(clone: Path, bare: str) -> None:
    listed = clone / "scripts" / "programs.txt"
    listed.write_text(
        "# a list\nno-curl check,test curl curl\nno-node lint,test *nodejs|node node\nsh run,test dash dash\n"
    )
    for command, packages in {"test": "curl nodejs", "check": "curl", "lint": "nodejs"}.items():
        ended = tried(clone, "sh", "scripts/install-programs", command, PATH=bare)
        assert ended.returncode == 1
        assert ended.stderr == (
            f"make {command} needs programs that are not here and could not be installed. "
            f"Type: sudo apt-get install {packages}\n"
        )
    assert tried(clone, "sh", "scripts/install-programs", "run", PATH=bare).stdout == ""


def test_a_test_without_its_program_fails_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LISTED, "curl", (None, "curl"))
    with pytest.raises(pytest.fail.Exception, match=r"^curl is missing: apt-get install curl$"):
        program("curl")


def test_programs_are_looked_for_before_anything_is_downloaded(clone: Path) -> None:
    for target in ("test", "test-fast", "lint", "screenshots", "pictures"):
        steps = tried(clone, "make", "--dry-run", target).stdout.splitlines()
        assert "install-programs" in steps[0]


# --- folders


@pytest.fixture
def installed(clone: Path) -> Path:
    """The folder with an environment as `make setup` makes it, but without packages."""
    venv.create(clone / ".venv", symlinks=True)
    for name in ("bin/uv", ".run"):
        (clone / ".venv" / name).touch()
    return clone


def is_set_up(clone: Path) -> bool:
    return tried(clone, "make", "--question", "setup").returncode == 0


def test_a_folder_that_was_moved_is_set_up_again(installed: Path) -> None:
    assert is_set_up(installed)
    moved = installed.rename(installed.with_name("größer als vorher"))
    assert not is_set_up(moved)
    assert is_set_up(moved.rename(installed))


def test_an_environment_of_another_python_is_made_again(installed: Path) -> None:
    """This happens after an upgrade of the distribution, when the link points to another Python or to none."""
    python = installed / ".venv" / "bin" / "python"
    configuration = installed / ".venv" / "pyvenv.cfg"
    own, gone = str(python.resolve()), f"{installed}/python3.9"
    for other in (program("sh"), gone):
        python.unlink()
        python.symlink_to(other)
        assert not is_set_up(installed)
    configuration.write_text(configuration.read_text().replace(own, gone))
    assert not is_set_up(installed)


def test_the_path_of_the_packages_holds_no_letter_that_a_locale_lacks() -> None:
    """Python 3.11 reads these files in the locale's encoding, and does not start if that fails."""
    [file] = Path(sys.prefix).glob("lib/python3*/site-packages/_locanda.pth")
    lines = file.read_text("utf-8").splitlines()
    assert [(file.parent / line).resolve() for line in lines] == [ROOT, ROOT / "shared"]
    assert all(line.startswith("..") for line in lines)


# --- problems of the machine


def test_a_folder_in_which_no_program_may_run_is_named(clone: Path) -> None:
    """The test's `chmod` does nothing, which has the effect of a folder mounted with `noexec`."""
    folder = clone / "bin"
    folder.mkdir()
    (folder / "chmod").write_text("#!/bin/sh\n")
    (folder / "chmod").chmod(0o755)
    ended = tried(clone, "make", "setup", PATH=f"{folder}:{os.environ['PATH']}")
    assert f"No program may run in {clone} (mounted noexec, most likely): put the folder elsewhere.\n" in ended.stderr


@pytest.mark.costly
@pytest.mark.slow
def test_without_a_network_one_sentence_says_so(clone: Path) -> None:
    nobody = {"PIP_INDEX_URL": "http://127.0.0.1:1/simple", "PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1"}
    ended = tried(clone, "make", "setup", PYTHON=sys.executable, **nobody, PIP_FIND_LINKS="", PIP_EXTRA_INDEX_URL="")
    assert ended.stderr.splitlines()[0].startswith("The package index cannot be reached.")
    assert "Traceback" not in ended.stderr


@pytest.mark.slow
def test_uv_gets_the_index_the_proxy_and_the_authority_of_pip(installed: Path) -> None:
    uv = installed / ".venv" / "bin" / "uv"
    uv.write_text('#!/bin/sh\necho "$UV_DEFAULT_INDEX $SSL_CERT_FILE $ALL_PROXY $*"\n')
    uv.chmod(0o755)
    python = installed / ".venv" / "bin" / "python"
    python.unlink()
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    configuration = installed / "pip.conf"
    configuration.write_text(
        "[global]\nindex-url = https://pip.example.org/simple\ncert = /etc/authority.pem\nproxy = http://proxy:3128\n"
    )
    variables = {"PIP_CONFIG_FILE": str(configuration), "SSL_CERT_FILE": "", "PIP_CERT": "", "PIP_INDEX_URL": ""}
    said = tried(installed, "sh", "scripts/uv", "pip", "install", **variables).stdout
    assert said == "https://pip.example.org/simple /etc/authority.pem http://proxy:3128 pip install\n"


def test_without_a_home_that_can_be_written_to_downloads_are_kept_in_the_folder(clone: Path) -> None:
    (clone / "Makefile").write_text((clone / "Makefile").read_text() + "\ncache:\n\t@echo $$XDG_CACHE_HOME\n")
    elsewhere = {"XDG_CACHE_HOME": "/proc/cache", "HOME": "/proc"}
    assert tried(clone, "make", "cache", **elsewhere).stdout == f"{clone}/.venv/cache\n"
    assert tried(clone, "make", "cache", XDG_CACHE_HOME=str(clone)).stdout == f"{clone}\n"
