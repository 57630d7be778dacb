"""The documents: links work, the page of settings agrees with the code, and releases change the right files."""

import importlib.util
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from locanda import __version__, errors
from locanda.games.registry import GAME_NAMES
from services.telegram.repositories import keys
from tests.programs import program

ROOT = Path(__file__).parents[1]
COMMAND = re.compile(r"\bmake ((?:-s )?[a-z][a-z-]+)")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
CODE = re.compile(r"```\w*\n(.*?)```|`([^`\n]+)`", re.DOTALL)


def script(name: str) -> ModuleType:
    """Import a module of scripts/."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_site_is_built_without_a_dead_link_or_a_page_in_no_menu(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert built.returncode == 0, built.stderr
    assert "Raise <code>RULES</code>" not in (tmp_path / "game-in-a-day" / "index.html").read_text()
    assert 'src="../images/parts.svg"' in (tmp_path / "architecture" / "index.html").read_text()
    assert "LISTED_MOVES" in (tmp_path / "game-in-a-day" / "index.html").read_text()


def test_the_pictures_of_the_site_are_drawn_from_the_diagrams_of_the_text() -> None:
    diagrams = script("diagrams")
    page = (diagrams.DOCS / "architecture.md").read_text("utf-8")
    drawn = [(diagrams.DOCS / match["file"], match["text"]) for match in diagrams.DIAGRAM.finditer(page)]
    assert len(drawn) == page.count("```mermaid")
    assert all(diagrams.signature(text) in picture.read_text("utf-8") for picture, text in drawn), "make diagrams"


def test_the_page_of_settings_is_what_the_code_says() -> None:
    settings = script("settings")
    assert settings.FILE.read_text() == settings.document(), "make settings"
    assert "|  |" not in settings.document(), "every setting says what it is for"


def test_every_make_target_that_a_document_names_is_there() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    documents = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    code = [block for file in documents for match in CODE.findall(file.read_text()) for block in match]
    named = {target.removeprefix("-s ") for text in code for target in COMMAND.findall(text)}

    assert len(named) > 10
    assert named <= targets | {*GAME_NAMES}


def test_the_page_on_the_python_package_names_every_exception_and_every_extra() -> None:
    page = (ROOT / "docs" / "python.md").read_text()
    exceptions = {
        name
        for name, error_class in vars(errors).items()
        if isinstance(error_class, type) and issubclass(error_class, Exception)
    }
    assert set(re.findall(r"^\| `(\w+)` \|", page.partition("Other exceptions:")[0], re.MULTILINE)) - {*EXTRAS} == (
        exceptions - {"EngineError"}
    )
    assert set(re.findall(r"^\| `(\w+)` \|", page.partition("## Exceptions")[0], re.MULTILINE)) == {*EXTRAS}


def test_every_file_of_tests_that_a_document_names_is_there() -> None:
    files = {f"/{file.relative_to(ROOT)}" for folder in ("tests", "examples") for file in (ROOT / folder).rglob("*.py")}
    for page in (*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        named = re.findall(r"`((?:[\w/]+/)?test_\w+\.py)`", page.read_text())
        assert [name for name in named if not any(file.endswith(f"/{name}") for file in files)] == [], page


def test_no_document_installs_a_package_of_an_index_by_our_name() -> None:
    for file in [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", *(ROOT / "shared").rglob("*.py")]:
        assert not re.search(r"pip install [^.\n]*(?<![./])\blocanda\b", file.read_text()), file


def test_every_setting_that_a_document_names_is_there() -> None:
    known = set(re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    named = re.compile(r"`((?:ENGINE|TELEGRAM|PUBLIC|REDIS|GRAFANA|PROMETHEUS)_[A-Z_]+)(?:=[^`]*)?`")
    for file in (*(ROOT / "docs").glob("*.md"), ROOT / "README.md"):
        unknown = set(named.findall(file.read_text())) - known - {"REDIS_HOST", "REDIS_PORT", "REDIS_SERVER"}
        assert not unknown, file


def test_the_page_on_operations_explains_every_line_that_warns() -> None:
    warns = re.compile(r"""\blog\.(?:warning|error|exception)\(\s*"([a-z_]+)""")
    logged = {name for file in (ROOT / "services").rglob("*.py") for name in warns.findall(file.read_text())}
    explained = set(re.findall(r"`([a-z]+(?:_[a-z]+)*)`", (ROOT / "docs" / "operations.md").read_text()))
    assert len(logged) > 40
    assert logged <= explained


def test_the_page_on_privacy_erases_every_key_of_a_group_and_none_of_another() -> None:
    """A pattern such as `bot:chat:-100*` would also match other groups whose ids begin with the same digits."""
    of_a_chat = [
        function for function in vars(keys).values() if inspect.isfunction(function) and _takes_a_chat(function)
    ]
    named = re.findall(r"bot:chat:\S*\w>?", (ROOT / "docs" / "privacy.md").read_text())
    assert {function(7) for function in of_a_chat} == {name.replace("<id>", "7") for name in named}


def _takes_a_chat(function: Callable[..., object]) -> bool:
    return list(inspect.signature(function).parameters) == ["chat"]


# --- releases


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project
    assert script("release").order(__version__)


def test_compose_takes_the_images_of_the_release_that_it_belongs_to() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    assert set(re.findall(r"locanda\}-\w+:(.+)", compose)) == {__version__}


IDENTITIES = ("AUTHOR", "COMMITTER")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository at release 0.1.0, with the files that a release changes."""
    release = script("release")
    for file, text in (
        (release.PACKAGE, '"""Locanda."""\n\n__version__ = "0.1.0"\n'),
        (release.COMPOSE, "services:\n  engine:\n    image: ${IMAGES:-locanda}-engine:0.1.0\n"),
        (release.CHANGELOG, "# Changelog\n\n## Unreleased\n\n### Added\n\n- A fifth game.\n\n## 0.1.0 - 2026-01-01\n"),
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    return tmp_path


def test_a_release_writes_the_version_and_dates_the_changelog(repository: Path) -> None:
    script("release").write_version(repository, "0.2.0")
    assert '__version__ = "0.2.0"\n' in (repository / "shared/locanda/__init__.py").read_text()
    changelog = (repository / "CHANGELOG.md").read_text()
    assert "-engine:0.2.0\n" in (repository / "docker-compose.yml").read_text()
    assert re.search(r"## Unreleased\n\n## 0\.2\.0 - \d{4}-\d\d-\d\d\n\n### Added\n\n- A fifth game\.", changelog)


@pytest.mark.parametrize("version", ["0.1.0", "0.0.9", "0.1.0-rc.1", "1.0", "v1.0.0", "1.0.0-rc1"])
def test_there_is_no_release_that_is_not_after_the_last_one(repository: Path, version: str) -> None:
    release = script("release")
    with pytest.raises(release.ReleaseError):
        release.write_version(repository, version)
    assert "0.1.0" in (repository / "shared/locanda/__init__.py").read_text()


def test_there_is_no_release_of_nothing_new(repository: Path) -> None:
    release = script("release")
    (repository / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-01\n\n- All.\n")
    with pytest.raises(release.ReleaseError, match="nothing under Unreleased"):
        release.write_version(repository, "0.2.0")


@pytest.mark.slow
def test_make_release_makes_an_annotated_tag_of_a_commit_with_its_version_and_the_package(tmp_path: Path) -> None:
    clone, version = tmp_path / "locanda", "99.0.0-rc.1"

    def run(*command: str) -> str:
        variables = os.environ | {
            f"GIT_{who}_{what}": "a@example.org" for who in IDENTITIES for what in ("NAME", "EMAIL")
        }
        ended = subprocess.run(
            command, cwd=clone, env=variables, capture_output=True, text=True, timeout=120, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.strip()

    subprocess.run([program("git"), "clone", "--quiet", "--shared", str(ROOT), str(clone)], check=True, timeout=120)
    changelog = clone / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace("## Unreleased\n", "## Unreleased\n\n- All of it.\n", 1))
    run("git", "commit", "--quiet", "--all", "--message", "What is new")
    assert "git push --follow-tags" in run(sys.executable, "scripts/release.py", version)
    assert run("git", "cat-file", "-t", f"v{version}") == "tag"
    assert f"locanda-engine:{version}" in run("git", "show", f"v{version}").replace("${IMAGES:-locanda}", "locanda")
    assert run("git", "status", "--porcelain") == ""
    assert [file.name for file in sorted((clone / "var" / "dist").iterdir())] == [
        "locanda-99.0.0rc1-py3-none-any.whl",
        "locanda-99.0.0rc1.tar.gz",
    ]


# --- the workflow of public forges


def test_the_workflow_runs_targets_of_the_makefile_on_every_python() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    jobs = workflow["jobs"]
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    made = {name for job in jobs.values() for step in job["steps"] for name in COMMAND.findall(step.get("run", ""))}

    assert made == {"lint", "test-all", "test-bare", "test-compose", "docs"}
    assert made <= targets
    assert jobs["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert "linux/amd64,linux/arm64" in str(jobs["images"])


def test_the_workflow_takes_every_action_by_its_commit_and_says_what_an_image_holds() -> None:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    used = re.findall(r"uses: (.+)", text)
    assert used
    assert [
        action for action in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", action)
    ] == []
    (build,) = (
        step["with"] for step in yaml.safe_load(text)["jobs"]["images"]["steps"] if "push" in step.get("with", {})
    )
    assert build["sbom"] is True
    assert build["provenance"] == "mode=max"
    assert "org.opencontainers.image.revision=" in build["labels"]


def test_the_page_about_javascript_names_every_method_of_the_client() -> None:
    source = (ROOT / "services" / "web" / "client.js").read_text("utf-8")
    of_client = source[source.index("export class Client {") :]
    methods = re.findall(r"^    (?:async )?\*?(\w+)\(.*\) \{$", of_client[: of_client.index("\n}\n")], re.MULTILINE)
    page = (ROOT / "docs" / "javascript.md").read_text("utf-8")
    assert len(methods) > 20
    assert [name for name in methods if name != "constructor" and f"`{name}(" not in page] == []
