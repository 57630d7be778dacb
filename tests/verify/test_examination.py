"""The verifier detects forged proofs, and detects each changed field or lists the field as not covered."""

import copy
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from locanda import verify
from locanda.games.presidente import types as presidente
from locanda.games.rules import GAMES
from locanda.verify import AGREES, CARDS_ONLY, NOTHING_TO_COMPARE, UNREADABLE, WRONG, Published
from services.engine.table import fairness, rematch
from services.engine.table.state import TransitionContext
from tests.engine.table import test_match as test_matches
from tests.engine.table.local_rules import LocalRules
from tests.engine.table.tables import PRESIDENTE, opened, person
from tests.engine.table.test_match import MATCHES, over
from tests.sampling import WHOLE, sampled

MOVES = 6
"""Number of moves that are changed in each proof, spread over the deal."""
SHARE = 16
"""One in this number of changes is tried, different changes for different proofs; a full run tries all changes."""


class RememberedRules(LocalRules):
    """The engine's rules with a cache, because thousands of proofs have almost the same moves."""

    def __init__(self) -> None:
        super().__init__()
        self._played: dict[str, tuple[Any, Any]] = {}

    def play(self, game: str, deal: Any, move: Any) -> tuple[Any, Any]:
        key = json.dumps([game, deal, move])
        if key not in self._played:
            self._played[key] = super().play(game, deal, move)
        return self._played[key]


RULES = RememberedRules()
FOLDER = Path(verify.__file__).parent
TAXED = opened(
    *map(person, ("Bruno", "Carla", "Dario")), game=PRESIDENTE, options=presidente.Options(tax=True, deals=2)
)


@cache
def proofs_of(name: str, *, rematch: bool = False) -> list[dict[str, Any]]:
    """Return the proofs of a match, or of its rematch, as a client downloads them."""
    table = TAXED if name == "taxed" else MATCHES[name]
    return test_matches.proofs_of(over(table) if rematch else table)


def published_for(proof: dict[str, Any]) -> Published:
    """Return the commitment and all client seeds from before the deal."""
    seeds = {seat: [seed] for seat, seed in enumerate(proof["client_seeds"])}
    return Published(proof["commitment"], seeds)


# --- what a proof is compared with


def test_a_forged_proof_with_chosen_seeds_does_not_pass(capsys: pytest.CaptureFixture[str]) -> None:
    """The proof has the deal of another table with this table's id, and is consistent in itself."""
    [true, *_] = proofs_of("gatto_rosso")
    forged = forge(true)
    assert list(verify.errors(forged)) == []
    assert verify.check(json.dumps(forged)) == NOTHING_TO_COMPARE
    output = capsys.readouterr().out
    assert "proves nothing" in output
    assert f"--commitment {forged['commitment']}\n" in output
    assert "--client-seed 0=chosen until it suited\n" in output
    assert "--client-seed 1=  (seat 1 gave none)\n" in output
    assert verify.check(json.dumps(forged), published_for(true)) == WRONG
    assert true["commitment"] in capsys.readouterr().out
    assert verify.check(json.dumps(true), published_for(true)) == CARDS_ONLY
    assert verify.check(json.dumps(true), published_for(true), rules=RULES) == AGREES


def forge(proof: dict[str, Any]) -> dict[str, Any]:
    """Make a proof with other cards for the same table, as a forger who chooses all seeds could."""
    server_seed, seeds = bytes(range(32)), ["chosen until it suited", "", ""]
    seed = verify.deal_seed(server_seed, proof["table"], proof["match"], proof["deal"], seeds)
    forged = proof | {"server_seed": server_seed.hex(), "client_seeds": seeds, "seed": seed.hex()}
    forged["commitment"] = verify.commitment(proof["table"], proof["match"], server_seed)
    dealer = (verify.first_dealer(forged, server_seed) + proof["deal"] - 1) % 3
    start = proof["start"] | {"dealer": dealer, "seed": seed.hex()}
    return forged | {"start": start | verify.dealt(proof["dealing"], seed, start)}


def test_a_client_seed_of_somebody_else_s_choice_is_found_out() -> None:
    [proof, *_] = proofs_of("gatto_rosso")
    report = verify.examine(proof, Published(proof["commitment"], {1: ["seven tame geese"]}))
    assert report.errors == ["`client_seeds[1]` is not what was given for this seat"]
    beyond = verify.examine(proof, Published(proof["commitment"], {7: [""]}))
    assert beyond.errors == ["there is no seat 7"]


def test_a_seed_alone_is_not_enough() -> None:
    """Without a published commitment, a forger who knows the players' seeds can still try out server seeds."""
    [proof, *_] = proofs_of("gatto_rosso")
    assert verify.examine(proof, Published(None, {0: [""]})).exit_code == NOTHING_TO_COMPARE


def test_a_table_s_id_of_another_length_is_refused() -> None:
    """Otherwise match 11 of a table would have the commitment of match 1 of a table whose id ends in one more 1."""
    [proof, *_] = proofs_of("gatto_rosso")
    server_seed = bytes.fromhex(proof["server_seed"])
    assert verify.commitment(proof["table"], 11, server_seed) == verify.commitment(proof["table"] + "1", 1, server_seed)
    with pytest.raises(verify.UnreadableError, match="`table`"):
        list(verify.errors(proof | {"table": proof["table"] + "1"}))


# --- every change of one field

NAMES = [
    *MATCHES,
    "taxed",
    *(f"{name}, rematch" for name in ("taxed", "presidente, with tax", "ramino, a tie goes on")),
]
SUBJECTS = [pytest.param(name, marks=() if name == "gatto_rosso" else pytest.mark.slow) for name in NAMES]


def changes(value: Any) -> Iterator[Any]:
    """Return different values to replace a value with, of the same type and of other types."""
    match value:
        case bool():
            yield from (not value, int(value), None)
        case int():
            yield from (value + 1, value - 1, float(value), -1, 10**9, value == 1, None)
        case str():
            yield from (value + "0", value[:-1], value[::-1], value.upper(), value + "\ud800", "", None)
            yield from (digit + value[1:] for digit in ("0", "f", "é"))
        case None:
            yield from (0, False, "", [])
        case list():
            yield from (value[:-1], value[::-1], [*value, *value[:1]], [*value, None], None, {})
        case dict():
            yield from ({name: value[name] for name in list(value)[1:]}, None, [])


def mutations(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield every variant of a proof with one changed field, and the field's path."""
    keys: Any = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    if path == ("moves",):
        keys = keys[:: -(-len(keys) // MOVES)]
    if path and isinstance(value, dict):
        yield ".".join(map(str, (*path, "more"))), value | {"more": 0}
    for changed in changes(value):
        if not verify.same(changed, value):
            yield ".".join(map(str, path)), changed
    for key in keys:
        for inner, changed in mutations(value[key], (*path, key)):
            mutated = copy.copy(value)
            mutated[key] = changed
            yield inner, mutated


def outcome(proof: Any, path: str, published: Published, rules: LocalRules | None) -> str:
    """Return `refused`, `named` (the output lists the changed field as not covered) or `passed`."""
    try:
        report = verify.examine(verify.read_proof(json.dumps(proof)), published, rules=rules)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return "refused"
    if report.errors:
        return "refused"
    return "named" if any(f"{path}.".startswith(f"{name}.") for name in report.uncovered) else "passed"


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("rules", [RULES, None], ids=["rules", "no rules"])
def test_every_change_of_one_field_is_refused_or_named(name: str, rules: LocalRules | None) -> None:
    proof = proofs_of(name.removesuffix(", rematch"), rematch=name.endswith(", rematch"))[-1]
    published = published_for(proof)
    assert verify.examine(proof, published, rules=rules).exit_code == (AGREES if rules else CARDS_ONLY)
    counts: Counter[str] = Counter()
    turn = NAMES.index(name) + (0 if rules else SHARE // 2)
    for path, mutated in sampled(mutations(proof), SHARE, turn):
        result = outcome(mutated, path, published, rules)
        assert result != "passed", (path, mutated)
        counts[result] += 1
    least = 0.98 if rules else 0.6
    assert counts["refused"] > least * counts.total() > (500 if WHOLE else 500 / SHARE)


# --- the deal before, and the rules


def test_dealer_and_tax_follow_from_the_proof_of_the_deal_before() -> None:
    last, first = proofs_of("taxed")[-1], proofs_of("taxed", rematch=True)[0]
    for before, proof in ((*proofs_of("taxed"),), (last, first), (*proofs_of("taxed", rematch=True),)):
        assert {"start.dues", "start.dealer"} & set(verify.examine(proof, rules=RULES).uncovered)
        report = verify.examine(proof, before=before, rules=RULES)
        assert report.errors == []
        rests_on_another_match = {"start.dues", "start.dealer"} if proof is first else set()
        assert {"start.dues", "start.dealer"} & set(report.uncovered) == rests_on_another_match
        assert "start.dues" in verify.examine(proof, before=before).uncovered
        other = before | {"result": before["result"] | {"ranking": before["result"]["ranking"][::-1]}}
        assert "`dues` do not follow from the ranking of the deal before" in list(verify.errors_after(proof, other))
        assert list(verify.errors_after(before, proof)) == ["the other proof is not of the deal before"]
        errors = verify.examine(proof, before=other, rules=RULES).errors
        assert "the deal before: `result` is not what the moves lead to" in errors
    turned = first | {"start": first["start"] | {"dealer": (first["start"]["dealer"] + 1) % 4}}
    assert "`dealer` does not follow the dealer of the deal before" in list(verify.errors_after(turned, last))


def test_in_a_match_of_other_players_the_dealer_is_drawn_and_nobody_owes_anything() -> None:
    stopped = rematch.answer(over(TAXED), 1, stay=False, client_seed=None, context=TransitionContext(0)).table
    first = test_matches.proofs_of(stopped)[0]
    assert len(first["client_seeds"]) == 3
    assert verify.examine(first, before=proofs_of("taxed")[-1], rules=RULES).errors == []


def test_rules_of_another_version_cover_nothing() -> None:
    proof = proofs_of("gatto_rosso")[0] | {"rules": 2}
    report = verify.examine(proof, rules=RULES)
    assert report.errors == []
    assert {"rules", "moves", "result"} <= set(report.uncovered)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{}", '{"table": 1, "table": 1}', "NaN", "[" * 100_000, '"\ud800"'],
)
def test_what_is_no_proof_is_reported_as_none(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify.check(text) == UNREADABLE
    assert capsys.readouterr().err.startswith("This is no proof that can be read: ")


def test_the_numbers_in_the_document_are_those_of_the_engine() -> None:
    text = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text("utf-8")
    vectors = dict(re.findall(r"^\| (.+?) \| `(.+?)` \|$", text, re.MULTILINE))
    table, server_seed, seeds = "A" * 22, bytes(range(32)), ("seven tame geese", "")
    assert vectors["commitment"] == fairness.commitment(table, 1, server_seed)
    first, seed = (fairness.deal_seed(server_seed, table, 1, number, seeds) for number in (0, 1))
    assert [vectors["seed of deal 0"], vectors["seed of deal 1"]] == [first.hex(), seed.hex()]
    for name, game in GAMES.items():
        [(seat, hand)] = re.findall(rf"`{name}`: hand of seat (\d) \| `(.+)`", text)
        dealt = game.deal(game.options(), 2, 0, seed, fairness.shuffle, None)
        assert hand.split() == list(game.to_wire(dealt).hands[int(seat)])


# --- the command


def test_the_command_takes_what_was_published_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, proof = proofs_of("taxed")
    files = [str(tmp_path / name) for name in ("proof.json", "before.json")]
    for file, content in zip(files, (proof, before), strict=True):
        Path(file).write_text(json.dumps(content), "utf-8")
    assert verify.main(files[:1]) == NOTHING_TO_COMPARE
    committed = [files[0], "--commitment", proof["commitment"].upper()]
    seeds = [f"--client-seed={seat}={seed}" for seat, seed in enumerate(proof["client_seeds"])]
    assert verify.main(committed) == CARDS_ONLY
    assert "client_seeds: not compared" in capsys.readouterr().out
    assert verify.main([*committed, *seeds, "--before", files[1]]) == CARDS_ONLY
    assert "client_seeds:" not in capsys.readouterr().out
    assert verify.main([*committed, "--client-seed", "0=mine"]) == WRONG
    assert verify.main([*committed, "--before", str(tmp_path / "missing")]) == UNREADABLE
    for wrong in (["--commitment", "mine"], ["--client-seed", "mine"], ["--sing"]):
        with pytest.raises(SystemExit) as ended:
            verify.main([files[0], *wrong])
        assert ended.value.code == UNREADABLE


def test_of_a_file_without_an_end_no_more_is_read_than_a_proof_can_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof, endless = tmp_path / "proof.json", Path("/dev/zero")
    proof.write_text(json.dumps(proofs_of("gatto_rosso")[0]), "utf-8")
    said = "This is no proof that can be read: UnreadableError: it is longer than 16 MB\n"
    for arguments in ([str(endless)], [str(proof), "--before", str(endless)]):
        assert verify.main(arguments) == UNREADABLE
        assert capsys.readouterr().err == said
    with endless.open("rb") as file:
        command = [sys.executable, str(FOLDER), "-"]
        ended = subprocess.run(command, stdin=file, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (UNREADABLE, said)


def test_the_folder_of_the_verifier_stands_alone(tmp_path: Path) -> None:
    """The folder runs without any installed package and without the rest of the project."""
    [proof, *_] = proofs_of("gatto_rosso")
    alone, file, dealing = tmp_path / "verifier", tmp_path / "proof.json", tmp_path / "dealing.json"
    shutil.copytree(FOLDER, alone, ignore=shutil.ignore_patterns("__pycache__"))
    file.write_text(json.dumps(proof), "utf-8")
    dealing.write_text(json.dumps(proof["dealing"]), "utf-8")
    command = [sys.executable, "-I", "-S", str(alone), str(file), "--commitment", proof["commitment"]]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (NOTHING_TO_COMPARE, "")
    assert "dealing: known from this proof alone" in ended.stdout
    command += ["--dealing", str(dealing)]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (CARDS_ONLY, "")
    assert "result: not recomputed: no rules are at hand" in ended.stdout


def test_a_description_that_suits_the_host_does_not_pass() -> None:
    """If the host could change the order of the pack, the same seed would deal other cards."""
    [proof, *_] = proofs_of("gatto_rosso")
    turned = json.loads(json.dumps(proof["dealing"]).replace("hdcs", "cdhs"))
    start = proof["start"] | verify.dealt(turned, bytes.fromhex(proof["seed"]), proof["start"])
    forged = proof | {"dealing": turned, "start": start}
    assert "`dealing` is not how this game is dealt" in verify.examine(forged, published_for(proof)).errors


def test_a_proof_of_before_it_described_its_dealing_is_checked_as_ever() -> None:
    for name in ("gatto_rosso", "taxed"):
        [proof, *_] = proofs_of(name)
        del (old := dict(proof))["dealing"]
        assert verify.examine(old, published_for(old), rules=RULES).exit_code == AGREES


def test_a_field_that_a_later_release_adds_is_named() -> None:
    [proof, *_] = proofs_of("gatto_rosso")
    report = verify.examine(proof | {"weather": "fine"}, published_for(proof), rules=RULES)
    assert report.exit_code == AGREES
    assert report.uncovered["weather"] == "this verifier does not know the field"
    added = proof | {"start": proof["start"] | {"weather": "fine"}}
    report = verify.examine(added, published_for(proof))
    assert report.exit_code == CARDS_ONLY
    assert report.uncovered["start.weather"] == "this verifier does not know the field"
    assert verify.examine(added, published_for(proof), rules=RULES).exit_code == WRONG  # these rules have no such field
    with pytest.raises(verify.UnreadableError, match="`seed` is missing"):
        verify.examine({name: proof[name] for name in proof if name != "seed"})


def test_a_client_seed_that_the_output_cannot_encode_does_not_fail_the_proof(tmp_path: Path) -> None:
    """Players choose their seeds; a seed that a non-UTF-8 output cannot show must not make a true deal look forged."""
    proof = proofs_of("gatto_rosso")[0]
    seeds = ["札", *proof["client_seeds"][1:]]
    (tmp_path / "proof.json").write_text(json.dumps(proof | {"client_seeds": seeds}), "utf-8")
    command = [sys.executable, str(FOLDER), str(tmp_path / "proof.json")]
    ended = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONIOENCODING": "ascii"}
    )
    assert ended.stderr == ""
    assert "--client-seed 0=\\u672d\n" in ended.stdout
