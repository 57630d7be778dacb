"""Games of installed packages: the examples obey the rules for all games and are played; broken games are named.

The games are found when Locanda is imported, so each test case runs in its own process.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from locanda.games.installed import INTERFACE
from locanda.translations import Language
from tests.demo.__main__ import transcript_file
from tests.example_games import GAMES, installed, register
from tests.packages.environment import fresh_environment

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = ("briscola", "scopa", "tressette")
ANY = " or ".join(EXAMPLES)
LAWS = (
    *(f"tests/games/{game}/subject.py" for game in EXAMPLES),
    "tests/games/test_texts.py",
    "tests/games/test_players.py",
    "tests/env/test_environments.py",
)
FOUND = """
import json
from locanda.games.lessons import scripts
from locanda.games.rules import GAMES
from locanda.games.registry import LEFT_OUT, SOURCES
from services.engine.app import DOCUMENTATION
from services.engine.catalogue import catalogue, details
from services.telegram.play.cards import GAME_SCREENS
assert DOCUMENTATION.document["components"]["schemas"]["GameInfo"]["properties"]["game"]["enum"] == list(GAMES)
assert DOCUMENTATION.page()
offered = [game.game for game in catalogue()]
print(json.dumps([list(GAMES), offered, SOURCES, LEFT_OUT, list(scripts()), details("good").rules.en]))
"""
MISTAUGHT = """
from locanda.games.lessons import Script, Step
DEAL = {
    "game": "mistaught",
    "hands": [["7d", "Ad", "2s"], ["Kd", "4h", "3c"]],
    "stock": ["6c", "Kh", "Jd"],
    "trump": ["5s"],
    "turn": 0,
    "dealer": 1,
}
SCRIPT = Script(DEAL, (Step({"type": "play", "card": "6c"}),), "")
"""
TYPES, RULES, TEXTS = (
    (GAMES / "briscola" / "locanda_briscola" / f"{name}.py").read_text("utf-8") for name in ("types", "rules", "texts")
)
TEXTLESS = TYPES.replace('"briscola"', '"textless"').replace("description=", "title=")
MISLABELLED = TYPES.replace('"briscola"', '"mislabelled"').replace(
    "Deals, Meta(description=N_(",
    'Literal[1, 3], Meta(title="T", extra_json_schema={"labels": {"1": "1"}}, description=N_(',
)
OWN_REFUSAL = 'REFUSALS = (NOT_IN_HAND, type(NOT_IN_HAND)("must_follow", "{name}", "{name}"))'
GOOD, TWIN = (
    TYPES.replace('"briscola"', f'"{name}"').replace("REFUSALS = (NOT_IN_HAND,)", OWN_REFUSAL.format(name=name))
    for name in ("good", "twin")
)
GOOD = GOOD.replace("Deals, Meta(", 'Literal[1, 3, 5], Meta(title="Length", ')
"""A game with two oddities: an option whose values have no labels, and a refusal with the same code as in the game
`twin`, but another text.
"""
LESSONS = {
    "untaught": "ModuleNotFoundError: No module named 'no_such_module' (locanda_untaught/lesson.py:1)",
    "scriptless": "its module lesson has no SCRIPT",
    "mistaught": "at step 1 of its lesson a move is refused: not_in_hand",
}
"""The reason why each game with a broken lesson is left out."""
FAULTY_TYPES = {
    "pileless": ('"stock_count"', '"stok"', "its View has no stok, which its pile stock shows"),
    "presetless": ("PRESETS: Presets", "LENGTHS: Presets", "its module types has no PRESETS"),
    "lengthy": (
        '"long": {"deals": 5}',
        '"long": {"deals": 50}',
        "ValidationError: Expected `int` <= 20 - at `$.deals`",
    ),
    "boundless": (
        "Annotated[Deals, Meta(",
        'Annotated[int, Meta(title="T", ',
        "its option deals is no switch, choice, or number with bounds",
    ),
    "formless": ("    card: FrenchCard\n", "    card: FrenchCard\n    other: complex = 0j\n", "TypeError: "),
    "reserved": (
        "REFUSALS = (NOT_IN_HAND,)",
        'REFUSALS = (NOT_IN_HAND, type(NOT_IN_HAND)("stale", "", ""))',
        "its refusals have codes of other problems: stale",
    ),
}
"""By game: a part of Briscola's module `types`, the faulty text that replaces it, and why the game is left out."""
FAULTY_FUNCTIONS = {
    "immobile": ("rules", "moves"),
    "unplayed": ("rules", "play"),
    "unscored": ("rules", "score"),
    "unchecked": ("rules", "checked"),
    "unseen": ("rules", "card_points"),
    "unpiled": ("texts", "piles"),
    "tasked": ("texts", "task"),
    "silent": ("texts", "event_text"),
}
"""By game: the name of a module, and of the function in it that raises an error."""


def raising(text: str, function: str) -> str:
    """Return the source of a module in which this function raises an error."""
    before, name, after = text.partition(f"def {function}(")
    return before + name + after.replace('."""\n', '."""\n    raise LookupError("why")\n', 1)


def run(folders: Sequence[Path], *command: str, ends: int = 0) -> str:
    """Run Python with these folders installed, and return its output. Its exit code must be `ends`."""
    path = os.pathsep.join(map(str, (*folders, ROOT, ROOT / "shared")))
    ended = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == ends, ended.stdout + ended.stderr
    return ended.stdout


def test_the_example_games_are_found_keep_their_worked_positions_and_are_told_rightly(tmp_path: Path) -> None:
    folders = installed(tmp_path, *EXAMPLES)
    output = run(
        folders,
        "-m",
        "pytest",
        "-v",
        "-p",
        "no:cacheprovider",
        *LAWS[:4],
        "-k",
        f"test_position or test_texts and ({ANY})",
    )
    for position in ("partners-count-together", "settebello", "suit-must-be-followed"):
        assert re.search(rf"test_position-{position}\[\w+\] PASSED", output), output


@pytest.mark.long
def test_the_example_games_keep_the_laws_of_all_games(tmp_path: Path) -> None:
    folders = installed(tmp_path, *EXAMPLES)
    output = run(folders, "-m", "pytest", "-v", "-p", "no:cacheprovider", *LAWS, "-k", ANY)
    for file in LAWS:
        for game in EXAMPLES:
            if game in file or "/games/test_" in file or "/env/" in file:
                assert re.search(rf"^{file}::.*{game}.* PASSED", output, re.MULTILINE), output


@pytest.mark.parametrize("extra", ["terminal", "env", "games"])
def test_an_extra_that_loads_games_brings_what_reads_their_texts(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert any(needed.startswith("babel") for needed in project["optional-dependencies"][extra])


@pytest.mark.costly
def test_a_package_is_tested_at_home_by_what_the_wheel_brings(tmp_path: Path) -> None:
    python, home = fresh_environment(tmp_path, "tressette"), tmp_path / "home" / "tests"
    shutil.copytree(ROOT / "tests" / "games" / "tressette", home, ignore=shutil.ignore_patterns("golden.jsonl", "__*"))

    few = 'settings.register_profile("few", max_examples=5)\nsettings.load_profile("few")\n'
    (home / "conftest.py").write_text(f"from hypothesis import settings\n\n{few}")

    def tested(*options: str) -> str:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [str(python), "-m", "pytest", "-v", "-p", "no:cacheprovider", *options]
        ended = subprocess.run(command, cwd=home.parent, env=environment, capture_output=True, text=True, check=False)
        return f"{ended.stdout}{ended.stderr}"

    assert "1 failed" in (output := tested("-k", "always_did")), output
    assert "pytest --write-golden writes it" in output
    assert " failed" not in (output := tested("-k", "always_did", "--write-golden")), output
    assert (home / "golden.jsonl").read_bytes() == (ROOT / "tests/games/tressette/golden.jsonl").read_bytes()
    assert " failed" not in (output := tested()), output
    for test in ("test_check_agrees_with_moves", "test_position-suit-must-be-followed"):
        assert re.search(rf"^tests/subject.py::{test}\[tressette\] PASSED", output, re.MULTILINE), output


READ = [
    ("briscola", "it", False),
    ("briscola", "en", True),
    *(
        pytest.param(*match, marks=pytest.mark.long)
        for match in (
            ("scopa", "en", False),
            ("scopa", "it", True),
            ("tressette", "it", False),
            ("tressette", "en", True),
        )
    ),
]
"""Game, language, and whether the person plays alone, for each transcript that `make transcripts` writes."""


@pytest.mark.costly
@pytest.mark.parametrize(("game", "language", "alone"), READ)
def test_a_match_of_a_packages_game_reads_in_a_chat_as_its_transcript(
    tmp_path: Path, game: str, language: Language, alone: bool
) -> None:
    options = (f"--game={game}", f"--language={language}", *["--alone"] * alone)
    output = run(installed(tmp_path, game), "-m", "tests.demo", *options)
    assert output.lstrip() == transcript_file(game, language, alone=alone).read_text("utf-8")


LESSON_IN_A_CHAT = "test_a_lesson_is_played_to_the_end_of_its_deal_in_few_taps_and_fits_on_a_phone"
MATCH_ON_PAGES = "test_people_on_pages_and_in_a_chat_play_a_match_at_one_table[briscola]"


@pytest.mark.costly
@pytest.mark.timeout(600)
def test_the_example_games_are_installed_from_wheels_and_played_in_every_client(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    python = fresh_environment(tmp_path, *EXAMPLES)
    seed = f"--randomly-seed={pytestconfig.option.randomly_seed}"
    test = (python, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-o", "pythonpath=.", seed)
    tests = (
        "tests/packages/played.py",
        f"tests/telegram/lessons/test_handlers.py::{LESSON_IN_A_CHAT}",
        f"tests/web/test_matches.py::{MATCH_ON_PAGES}",
        "tests/web/package_pages.py",
    )
    ended = subprocess.run([*test, *tests], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    for last in (
        "in_a_terminal[scopa]",
        f"{LESSON_IN_A_CHAT}[tressette]",
        MATCH_ON_PAGES,
        "what_the_selected_card_takes",
    ):
        assert f"{last} PASSED" in ended.stdout


@pytest.mark.long
def test_the_example_games_are_played_on_pages_by_pointer_and_keyboard_and_fit_every_window(tmp_path: Path) -> None:
    folders = installed(tmp_path, *EXAMPLES)
    files = "tests/web/test_matches.py", "tests/web/test_lessons.py", "tests/web/test_every_screen.py"
    output = run(folders, "-m", "pytest", "-v", "-p", "no:cacheprovider", *files, "-k", ANY)
    assert re.search(r"accessible_and_fits.scopa_of_four. PASSED", output), output


def package(folder: Path, name: str, files: dict[str, str], module: str = "") -> Path:
    """Write the package of a game that is a copy of Briscola with some other files. Return its folder."""
    own, module = folder / f"package_{name}", module or f"locanda_{name}"
    source = GAMES / "briscola" / "locanda_briscola"
    (own / module).mkdir(parents=True)
    for file in source.iterdir():
        if file.is_file():
            text = file.read_text("utf-8").replace("locanda_briscola", module)
            (own / module / file.name).write_text(text.replace('"briscola"', f'"{name}"'), "utf-8")
    for file_name, text in files.items():
        (own / module / file_name).write_text(text, "utf-8")
    project = f'[project]\nname = "locanda-{module}"\nversion = "2"\n'
    entry = f'[project.entry-points."locanda.games"]\n{name} = "{module}"\n'
    (own / "pyproject.toml").write_text(project + entry, "utf-8")
    return own


def test_a_broken_package_is_named_and_left_out_and_all_other_games_are_played(tmp_path: Path) -> None:
    broken = {
        "raises": {"__init__.py": "1 / 0"},
        "leaves": {"__init__.py": "raise SystemExit(3)"},
        "older": {"__init__.py": "INTERFACE = 0"},
        "ruleless": {"rules.py": "PLAYERS = range(2, 3)"},
        "wordless": {"texts.py": "import no_such_module"},
        "speechless": {"texts.py": "LABELS = ENDINGS = {}"},
        "garbled": {"it.po": 'msgid "Play'},
        "textless": {"types.py": TEXTLESS},
        "mislabelled": {"types.py": MISLABELLED},
        "unruly": {"rules.en.md": "# Unruly\nNo paragraph.\n"},
        "untaught": {"lesson.py": "import no_such_module"},
        "scriptless": {"lesson.py": ""},
        "mistaught": {"lesson.py": MISTAUGHT},
        "good": {"types.py": GOOD},
        "twin": {"types.py": TWIN},
    }
    for name, (old, new, _) in FAULTY_TYPES.items():
        assert old in TYPES
        broken[name] = {"types.py": TYPES.replace('"briscola"', f'"{name}"').replace(old, new)}
    for name, (module, function) in FAULTY_FUNCTIONS.items():
        text = raising({"rules": RULES, "texts": TEXTS}[module], function)
        broken[name] = {f"{module}.py": text.replace("locanda_briscola", f"locanda_{name}")}
    folders = [package(tmp_path, name, files) for name, files in broken.items()]
    folders.append(package(tmp_path, "ramino", {}, "locanda_another"))
    for folder in folders:
        register(tmp_path, folder)

    played, offered, sources, left_out, taught, rules = json.loads(run([tmp_path, *folders], "-c", FOUND))

    assert played == offered == ["gatto_rosso", "ramino", "diavoletto", "presidente", "good", "twin"]
    assert sources["good"] == "locanda-locanda_good 2"
    why = {game.partition(" ")[0]: said for game, said in left_out.items()}
    assert set(why) == {*broken, "ramino", *LESSONS} - {"good", "twin"}
    assert why["raises"] == "ZeroDivisionError: division by zero (locanda_raises/__init__.py:1)"
    assert why["leaves"] == "SystemExit: 3 (locanda_leaves/__init__.py:1)"
    assert why["older"] == f"it is written for version 0 of the interface for games, this is version {INTERFACE}"
    assert why["ruleless"].startswith("its rules have no ")
    assert why["wordless"] == "ModuleNotFoundError: No module named 'no_such_module' (locanda_wordless/texts.py:1)"
    assert why["speechless"].startswith("its texts have no ")
    assert why["textless"] == "its option deals has no description"
    assert why["mislabelled"] == "its option deals has labels of other values"
    assert why["unruly"] == "its rules.en.md needs a heading with its name, an empty line, and a paragraph"
    assert why["garbled"].startswith("PoFileError: ")
    assert {game: why[game] for game in LESSONS} == LESSONS
    for game, (*_, reason) in FAULTY_TYPES.items():
        assert why[game].startswith(reason), why[game]
    for game, (module, _) in FAULTY_FUNCTIONS.items():
        assert re.fullmatch(rf"LookupError: why \(locanda_{game}/{module}.py:\d+\)", why[game]), why[game]
    assert taught == [*played]
    assert re.search(r"Length.*Usually \*1\*; otherwise \*3\*, \*5\*\.", rules)
    assert why["ramino"] == "there is another game of the name ramino"


def test_the_tests_of_a_package_that_is_left_out_say_why(tmp_path: Path) -> None:
    folder = package(tmp_path, "textless", {"types.py": TEXTLESS})
    register(tmp_path, folder)
    subject = folder / "tests" / "subject.py"
    subject.parent.mkdir()
    subject.write_text('import locanda.testing\nfrom locanda.games.rules import GAMES\n\nSUBJECT = GAMES["textless"]\n')
    output = run([tmp_path, folder], "-m", "pytest", "-p", "no:cacheprovider", str(subject), ends=2)
    assert "textless (locanda-locanda_textless 2) is left out: its option deals has no description" in output
