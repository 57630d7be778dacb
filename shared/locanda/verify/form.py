"""Checks that a proof has all fields with valid types, before anything is recomputed."""

import json
import re
from pathlib import Path
from typing import IO, Any

from .dealing import GAME
from .sentences import Sentence, UnreadableError, say

MOST_BYTES = 16 * 2**20
"""Most bytes to read from a file or an engine; a proof has some tens of kilobytes."""

FIELDS = (
    *("table", "game", "rules", "match", "deal", "commitment", "server_seed", "client_seeds", "seed"),
    *("start", "moves", "result"),
)
"""Fields of every proof. Newer proofs also have `dealing`."""
SEED = re.compile("[0-9a-f]{64}")
TABLE = re.compile("[A-Za-z0-9_-]{22}")
"""Pattern of table ids. The fixed length matters, because the commitment's text has no separator after the id."""
LONGEST_CLIENT_SEED = 64
MOST_SEATS = 10
MOST_NUMBER = 1_000_000
"""Limit of the numbers of matches and deals, and of the version of rules."""


def read_proof(text: str) -> dict[str, Any]:
    """Return the proof in a JSON text. Raises `ValueError` if it is not a proof or repeats a name in an object."""
    proof = read_object(text)
    demand_form(proof)
    return proof


def read_object(text: str) -> dict[str, Any]:
    """Return the object in a JSON text. Raises `ValueError` if it is not an object or repeats a name."""
    content = json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)
    _demand("proof", say("an object"), isinstance(content, dict))
    return dict(content)


def read_bounded(file: IO[bytes]) -> str:
    """Return a file's text. Raises `ValueError` if it is not UTF-8 or is longer than `MOST_BYTES`."""
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise UnreadableError(say("it is longer than {n} MB", n=MOST_BYTES // 2**20))
    return content.decode()


def read_path(path: str) -> str:
    """Return the text of the file at a path. Raises `OSError`, and `ValueError` like `read_bounded`."""
    with Path(path).open("rb") as file:
        return read_bounded(file)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    _demand("JSON", say("an object without repeated names"), len(members) == len(pairs))
    return members


def _no_number(text: str) -> None:
    raise UnreadableError(say("{text} is no JSON", text=text))


def _demand(name: str, what: Sentence, good: object) -> None:
    if not good:
        raise UnreadableError(say("`{name}` is not {what}", name=name, what=what))


def _is_number(value: object, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_text(value: object, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_client_seed(value: object) -> bool:
    """Return whether a value is a text that can be encoded in UTF-8 (no lone surrogates)."""
    return isinstance(value, str) and len(value) <= LONGEST_CLIENT_SEED and not re.search("[\ud800-\udfff]", value)


def demand_form(proof: Any) -> None:  # noqa: ANN401  (any JSON value)
    """Raise `UnreadableError` unless a proof has all required fields with valid types. Further fields are allowed."""
    _demand("proof", say("an object"), isinstance(proof, dict))
    for name in FIELDS:
        if name not in proof:
            raise UnreadableError(say("`{name}` is missing", name=name))
    _demand("game", say("a game's name"), _is_text(proof["game"], GAME))
    _demand("dealing", say("an object"), isinstance(proof.get("dealing", {}), dict))
    _demand("table", say("a table's id of 22 characters"), _is_text(proof["table"], TABLE))
    for name in ("match", "deal", "rules"):
        _demand(name, say("a number from 1"), _is_number(proof[name], 1, MOST_NUMBER))
    for name in ("commitment", "server_seed", "seed"):
        _demand(name, say("64 hexadecimal digits"), _is_text(proof[name], SEED))
    seeds = proof["client_seeds"]
    _demand("client_seeds", say("a list of texts"), isinstance(seeds, list) and all(map(_is_client_seed, seeds)))
    _demand_start(proof["start"])
    players = len(proof["start"]["hands"])
    _demand("start.dealer", say("a seat"), _is_number(proof["start"]["dealer"], 0, players - 1))
    _demand_dues(proof["start"].get("dues", []))
    _demand_moves(proof["moves"], players)
    _demand_result(proof["result"], players)


def _demand_start(start: Any) -> None:  # noqa: ANN401  (any JSON value)
    """Check the fields from which the cards are dealt; all other fields of the start are recomputed."""
    _demand("start", say("an object"), isinstance(start, dict))
    _demand("start", say("a deal"), {"hands", "dealer", "options"} <= set(start))
    hands, options = start["hands"], start["options"]
    _demand("start.hands", say("a list of hands"), isinstance(hands, list) and 2 <= len(hands) <= MOST_SEATS)
    scalars = isinstance(options, dict) and all(isinstance(value, str | int | None) for value in options.values())
    _demand("start.options", say("an object of options"), scalars)


def _demand_dues(dues: Any) -> None:  # noqa: ANN401  (any JSON value)
    good = isinstance(dues, list) and all(isinstance(due, list) and len(due) == 3 for due in dues)
    numbers = good and all(_is_number(number, 0, MOST_SEATS) for due in dues for number in due)
    _demand("start.dues", say("a list of two seats and a number of cards each"), numbers)


def _demand_moves(moves: Any, players: int) -> None:  # noqa: ANN401  (any JSON value)
    _demand("moves", say("a list"), isinstance(moves, list))
    for number, made in enumerate(moves):
        good = isinstance(made, dict) and set(made) == {"seat", "move"} and isinstance(made["move"], dict)
        _demand(f"moves[{number}]", say("a seat and its move"), good and _are_seats([made["seat"]], players))


def _demand_result(result: Any, players: int) -> None:  # noqa: ANN401  (any JSON value)
    good = isinstance(result, dict) and set(result) - {"teams"} == {"ranking", "points", "reason"}
    _demand("result", say("a ranking, points and a reason"), good)
    ranking, points, reason = result["ranking"], result["points"], result["reason"]
    places = isinstance(ranking, list) and all(isinstance(place, list) and place for place in ranking)
    seats = [seat for place in ranking for seat in place] if places else []
    ranked = _are_seats(seats, players) and sorted(seats) == list(range(players))
    _demand("result.ranking", say("every seat once, best first"), ranked)
    numbers = isinstance(points, list) and all(type(point) is int for point in points) and len(points) == players
    _demand("result.points", say("a number for each seat"), numbers)
    _demand("result.reason", say("a word"), reason is None or isinstance(reason, str))


def _are_seats(values: list[Any], players: int) -> bool:
    return all(_is_number(value, 0, players - 1) for value in values)
