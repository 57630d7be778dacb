"""The verifier: checks from the proof of a finished deal that it was dealt from the seed committed to before.

Stand-alone: it needs only Python's standard library, and shares no code with the engine. Download a proof from
`GET /v1/tables/{table}/deals/{n}` and run `make verify`, `locanda-verify`, or this file:

    locanda-verify proof.json --commitment 64HEX --client-seed 0=TEXT

The commitment is the one that the table showed before the deal, the client seed the one that was given for a seat.
Whoever makes a proof can choose the seeds in it, so a proof that is compared with nothing published before proves
nothing: then the exit code is 3, and what is to be compared is printed. It is 0 where everything agrees, 1 where
something does not, 2 for what is no proof.

Every field of a proof is recomputed, or named in the output as not covered. Moves and result are recomputed by the
rules: by those of the engine's package where it can be imported, or by those of an engine that `--engine` names.

A valid proof proves that the server seed was fixed before the players gave theirs, and that the cards follow from all
of them. It does not prove that the operator of the engine did not look at the cards (docs/fairness.md).
"""

import argparse
import hashlib
import hmac
import http.client
import importlib
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol, TextIO, TypeAlias

AGREES, WRONG, UNREADABLE, NOTHING_TO_COMPARE = range(4)
"""The exit codes."""

DOMAIN = b"locanda-shuffle-v1"
MOST_BYTES = 16 * 2**20
"""A longer file or answer is not read to its end: a proof has some tens of thousands of bytes."""
MOST_SHUFFLES = 1000
"""A tie that lasts for more shuffles is not from a real table."""


Translate: TypeAlias = Callable[[str], str]
"""From a template in English to the one in another language, as `gettext` has it; `str` leaves it in English."""


def commitment(table: str, match: int, server_seed: bytes) -> str:
    """SHA-256("locanda-shuffle-v1" ‖ table ‖ match in decimal digits ‖ server seed)."""
    return hashlib.sha256(DOMAIN + table.encode() + str(match).encode() + server_seed).hexdigest()


def deal_seed(server_seed: bytes, table: str, match: int, deal: int, client_seeds: list[str]) -> bytes:
    """HMAC-SHA-256(server seed, compact JSON of [table, match, deal, client seeds])."""
    text = json.dumps([table, match, deal, client_seeds], ensure_ascii=False, separators=(",", ":"))
    return hmac.digest(server_seed, text.encode(), "sha256")


def shuffled(seed: bytes, index: int, cards: list[str]) -> list[str]:
    """Fisher-Yates from the end, each draw a 32-bit word below the largest multiple of the bound."""
    cards, numbers = list(cards), random_words(seed, index)
    for last in range(len(cards) - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)
        chosen = next(number for number in numbers if number < limit) % (last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def random_words(seed: bytes, index: int) -> Iterator[int]:
    """Eight big-endian words from each HMAC-SHA-256(seed, index ‖ counter), both as 4 bytes."""
    counter = 0
    while True:
        block = hmac.digest(seed, index.to_bytes(4, "big") + counter.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


class Sentence(str):
    """An English sentence that keeps its template and facts, so that a client can translate it."""

    __slots__ = ("facts", "template")
    template: str
    facts: Mapping[str, object]

    @classmethod
    def of(cls, template: str, facts: Mapping[str, object]) -> "Sentence":
        """Return a template with its placeholders filled in."""
        sentence = cls(template.format(**facts))
        sentence.template, sentence.facts = template, facts
        return sentence


def say(template: str, **facts: object) -> Sentence:
    """Return a sentence; marks its template for translation."""
    return Sentence.of(template, facts)


def translated(text: object, gettext: Translate) -> object:
    """Return a sentence, and the sentences in it, in another language; anything else unchanged."""
    if not isinstance(text, Sentence):
        return text
    facts = {name: translated(value, gettext) for name, value in text.facts.items()}
    return gettext(text.template).format(**facts)


DealFunction: TypeAlias = Callable[[bytes, dict[str, Any]], dict[str, Any]]
"""From a deal's seed and its `options`, `dealer`, number of `hands` and `dues` to all other fields of its start."""

RANKS = "A23456789TJQK"
FIGURES = ["MATTO", "LEONE", "MASCHERONE", "SECCHIA", "NULLA"]
NUMERALS = ["", "I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "VIIII"]
CUCCU = FIGURES + NUMERALS[1:] + ["X" + numeral for numeral in NUMERALS[:6]]


def french() -> list[str]:
    """Return a pack of 52, ordered by rank and suit."""
    return [rank + suit for rank in RANKS for suit in "hdcs"]


def round_the_table(stock: list[str], start: dict[str, Any], each: int) -> list[list[str]]:
    """Return hands of `each` cards from the top of the stock, one at a time from the seat after the dealer."""
    seats = len(start["hands"])
    hands: list[list[str]] = [[] for _ in range(seats)]
    for number in range(each * seats):
        hands[(start["dealer"] + 1 + number) % seats].append(stock.pop())
    return hands


def after_dealer(start: dict[str, Any]) -> int:
    """Return the seat that begins in most games."""
    turn: int = (start["dealer"] + 1) % len(start["hands"])
    return turn


def in_order(pack: list[str], *hands: list[str]) -> list[list[str]]:
    """Return hands sorted as in a proof."""
    return [sorted(hand, key=pack.index) for hand in hands]


def each_seat(start: dict[str, Any], value: Any) -> list[Any]:  # noqa: ANN401  (any JSON value)
    """Return a field that starts with the same value for each seat."""
    return [value for _ in start["hands"]]


def ramino(seed: bytes, start: dict[str, Any]) -> dict[str, Any]:
    """Deal Ramino: two cards of each design, five to each hand, then one face up."""
    stock = shuffled(seed, 0, CUCCU * 2)
    hands, discards = round_the_table(stock, start, 5), [stock.pop()]
    dealt: dict[str, Any] = {"hands": in_order(CUCCU, *hands), "stock": stock, "discards": discards}
    begun = {"shuffles": 1, "melds": [], "phase": "draw", "taken": None, "acted": False, "idle": 0, "closer": None}
    seated = {"turn": after_dealer(start), "opened": each_seat(start, value=False), "known": each_seat(start, [])}
    return dealt | begun | seated


def gatto_rosso(seed: bytes, start: dict[str, Any]) -> dict[str, Any]:
    """Deal Gatto Rosso Gatto Grigio: four cards to each hand."""
    suits = [suit for suit in "hdcs" if suit != start["options"].get("three_suits")]
    pack = [rank + suit for suit in suits for rank in "A234567JQK"]
    stock = shuffled(seed, 0, pack)
    hands = round_the_table(stock, start, 4)
    dealt: dict[str, Any] = {"hands": in_order(pack, *hands), "stock": stock, "turn": after_dealer(start)}
    begun: dict[str, Any] = {"shuffles": 1, "table": [], "last": None, "passes": 0, "sitting_out": []}
    return dealt | begun | {"captured": each_seat(start, 0)}


def diavoletto(seed: bytes, start: dict[str, Any]) -> dict[str, Any]:
    """Deal Diavoletto: shuffle 0 is for the mazzetti, 1 for the stock with the rest of that pack, others break a tie.

    The player with the higher top card, Ace low, starts, and has drawn five cards already.
    """
    pack, size = french(), start["options"].get("mazzetto_size", 26)
    dealt = shuffled(seed, 0, pack)
    stock = shuffled(seed, 1, [*pack, "*", "*", *dealt[2 * size :]])
    mazzetti, shuffles, turn = [dealt[:size], dealt[size : 2 * size]], 2, None
    while turn is None:
        first, second = (RANKS.index(mazzetto[-1][0]) for mazzetto in mazzetti)
        if first != second:
            turn = 0 if first > second else 1
        elif start["options"].get("start_tie") == "random":
            turn, shuffles = int(shuffled(seed, shuffles, ["0", "1"])[0]), shuffles + 1
        elif shuffles > MOST_SHUFFLES:
            raise ValueError(say("no shuffle breaks the tie for the first turn"))
        else:
            mazzetti = [shuffled(seed, shuffles + seat, mazzetti[seat]) for seat in (0, 1)]
            shuffles += 2
    drawn: list[list[str]] = [[], []]
    drawn[turn] = stock[-5:]
    hands = in_order([*pack, "*"], *drawn)
    deal: dict[str, Any] = {"hands": hands, "mazzetti": mazzetti, "stock": stock[:-5], "turn": turn}
    begun = {"builds": [], "aside": [], "moved": False, "advanced": False, "refills": 0, "redeals": 0}
    counted = {"shuffles": shuffles, "columns": each_seat(start, [[], [], [], []]), "stalled": 0, "barren": 0}
    return deal | begun | counted


def presidente(seed: bytes, start: dict[str, Any]) -> dict[str, Any]:
    """Deal Presidente: thirteen cards to each hand, ten with five players; the rest is left over. A tax comes first."""
    pack = french() + (["*"] if start["options"].get("joker") else [])
    stock = shuffled(seed, 0, pack)
    hands = round_the_table(stock, start, 10 if len(start["hands"]) == 5 else 13)
    turn = start["dues"][0][0] if start["dues"] else after_dealer(start)
    dealt: dict[str, Any] = {"hands": in_order(pack, *hands), "shown": in_order(pack, stock)[0], "turn": turn}
    begun: dict[str, Any] = {"shuffles": 1, "table": None, "last": None, "passes": 0, "inverted": False, "out": []}
    return dealt | begun | {"known": [], "gone": [], "sitting_out": [], "phase": "tax" if start["dues"] else "play"}


DEALS: dict[str, DealFunction] = {
    "ramino": ramino,
    "gatto_rosso": gatto_rosso,
    "diavoletto": diavoletto,
    "presidente": presidente,
}


# --- the form of a proof

SEED = re.compile("[0-9a-f]{64}")
TABLE = re.compile("[A-Za-z0-9_-]{22}")
"""A table's id. Its length matters: the commitment's text has no mark between the id and the match's number."""
LONGEST_CLIENT_SEED = 64
MOST_SEATS = 10
MOST_NUMBER = 1_000_000
"""The largest number of a match or a deal, and the largest version of a game's rules."""


class UnreadableError(ValueError):
    """The input is not a proof: the message names the field."""


def read_proof(text: str) -> dict[str, Any]:
    """Return the proof in a JSON text. Raises `ValueError` if it is not a proof, or has a name twice."""
    proof = json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)
    demand_form(proof)
    return dict(proof)


def read_bounded(file: IO[bytes]) -> str:
    """Return a file's text. Raises `ValueError` if it is not UTF-8, or longer than `MOST_BYTES`."""
    found = file.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise UnreadableError(say("it is longer than {n} MB", n=MOST_BYTES // 2**20))
    return found.decode()


def _read_path(path: str) -> str:
    with Path(path).open("rb") as file:
        return read_bounded(file)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    _demand("JSON", say("an object without repeated names"), len(found) == len(pairs))
    return found


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
    """Return whether a value is a text that has a UTF-8 form: lone surrogates have none."""
    return isinstance(value, str) and len(value) <= LONGEST_CLIENT_SEED and not re.search("[\ud800-\udfff]", value)


def demand_form(proof: Any) -> None:  # noqa: ANN401  (whatever JSON holds)
    """Raise `UnreadableError` unless a proof has exactly the fields of a proof, each of its type."""
    _demand("proof", say("an object"), isinstance(proof, dict))
    fields = {"table", "game", "rules", "match", "deal", "commitment", "server_seed", "client_seeds", "seed"}
    _demand("proof", say("an object with the fields of a proof"), set(proof) == fields | {"start", "moves", "result"})
    known = isinstance(proof["game"], str) and proof["game"] in DEALS
    _demand("game", say("one of {names}", names=", ".join(DEALS)), known)
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


def _demand_start(start: Any) -> None:  # noqa: ANN401  (whatever JSON holds)
    """Check the fields from which the cards are dealt; all other fields of a start are recomputed."""
    _demand("start", say("an object"), isinstance(start, dict))
    _demand("start", say("a deal"), {"hands", "dealer", "options"} <= set(start))
    hands, options = start["hands"], start["options"]
    _demand("start.hands", say("a list of hands"), isinstance(hands, list) and 2 <= len(hands) <= MOST_SEATS)
    scalars = isinstance(options, dict) and all(isinstance(value, str | int | None) for value in options.values())
    _demand("start.options", say("an object of options"), scalars)
    size = options.get("mazzetto_size", 26)
    _demand("start.options.mazzetto_size", say("a number from 1 to 26"), _is_number(size, 1, 26))


def _demand_dues(dues: Any) -> None:  # noqa: ANN401  (whatever JSON holds)
    good = isinstance(dues, list) and all(isinstance(due, list) and len(due) == 3 for due in dues)
    numbers = good and all(_is_number(number, 0, MOST_SEATS) for due in dues for number in due)
    _demand("start.dues", say("a list of two seats and a number of cards each"), numbers)


def _demand_moves(moves: Any, players: int) -> None:  # noqa: ANN401  (whatever JSON holds)
    _demand("moves", say("a list"), isinstance(moves, list))
    for number, made in enumerate(moves):
        good = isinstance(made, dict) and set(made) == {"seat", "move"} and isinstance(made["move"], dict)
        _demand(f"moves[{number}]", say("a seat and its move"), good and _are_seats([made["seat"]], players))


def _demand_result(result: Any, players: int) -> None:  # noqa: ANN401  (whatever JSON holds)
    good = isinstance(result, dict) and set(result) == {"ranking", "points", "reason"}
    _demand("result", say("a ranking, points and a reason"), good)
    ranking, points, reason = result["ranking"], result["points"], result["reason"]
    places = isinstance(ranking, list) and all(isinstance(place, list) and place for place in ranking)
    seats = [seat for place in ranking for seat in place] if places else []
    ranked = _are_seats(seats, players) and sorted(seats) == list(range(players))
    _demand("result.ranking", say("every seat once, best first"), ranked)
    numbers = isinstance(points, list) and all(type(each) is int for each in points) and len(points) == players
    _demand("result.points", say("a number for each seat"), numbers)
    _demand("result.reason", say("a word"), reason is None or isinstance(reason, str))


def _are_seats(values: list[Any], players: int) -> bool:
    return all(_is_number(value, 0, players - 1) for value in values)


# --- what a proof must agree with in itself


def same(one: object, other: object) -> bool:
    """Return whether two JSON values are the same: unlike `==`, it distinguishes 1 from true and 1.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def first_dealer(proof: dict[str, Any], server_seed: bytes) -> int:
    """Return the first dealer of a table's first match: the draw of deal 0."""
    seed = deal_seed(server_seed, proof["table"], proof["match"], 0, proof["client_seeds"])
    seats = [str(seat) for seat in range(len(proof["start"]["hands"]))]
    return int(shuffled(seed, 0, seats)[0])


def dues_are_valid(proof: dict[str, Any]) -> bool:
    """Return whether the taxes of Presidente are due in this deal, in the right number, each between two other seats.

    None in a table's first deal; later one of two cards and, from four players on, another of one.
    """
    dues, players = proof["start"]["dues"], len(proof["start"]["hands"])
    if proof["start"]["options"].get("tax") is not True or proof["match"] == proof["deal"] == 1:
        return not dues
    if not dues:
        return bool(proof["match"] > 1 and proof["deal"] == 1)
    concerned = {seat for giver, partner, _ in dues for seat in (giver, partner)}
    return (
        [count for _, _, count in dues] == ([2, 1] if players > 3 else [2])
        and len(concerned) == 2 * len(dues)
        and concerned <= set(range(players))
    )


def dues_after(before: dict[str, Any]) -> list[list[int]]:
    """Return the taxes of Presidente that follow from the ranking of the deal before."""
    places = [seat for place in before["result"]["ranking"] for seat in place]
    second = [[places[1], places[-2], 1]] if len(places) > 3 else []
    return [[places[0], places[-1], 2], *second]


def errors(proof: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each part of a proof that contradicts the rest of it. Raises `ValueError` for no proof.

    A proof without a contradiction proves nothing yet: `examine` compares it with what was published before.
    """
    demand_form(proof)
    server_seed = bytes.fromhex(proof["server_seed"])
    if commitment(proof["table"], proof["match"], server_seed) != proof["commitment"]:
        yield say("the server seed is not the one that was committed to")
    seed = deal_seed(server_seed, proof["table"], proof["match"], proof["deal"], proof["client_seeds"])
    if seed.hex() != proof["seed"]:
        yield say("the deal's seed does not come from the server seed and the players' seeds")
    if len(proof["client_seeds"]) != len(proof["start"]["hands"]):
        yield say("there is not one client seed for each seat")
    yield from start_errors(proof, seed)
    if proof["match"] == 1:
        dealer = (first_dealer(proof, server_seed) + proof["deal"] - 1) % len(proof["start"]["hands"])
        if dealer != proof["start"]["dealer"]:
            yield say("`dealer` is not the one that deal 0 draws, or who follows")
    if "dues" in proof["start"] and not dues_are_valid(proof):
        yield say("`dues` cannot be owed in this deal")


def start_errors(proof: dict[str, Any], seed: bytes) -> Iterator[str]:
    """Yield a sentence for each field of the start that does not follow from the deal's seed, or is unknown."""
    start, given = proof["start"], {"options", "dealer"} | ({"dues"} if proof["game"] == "presidente" else set())
    if given - set(start):
        raise UnreadableError(say("`start.dues` is missing"))
    dealt = {"game": proof["game"], "seed": seed.hex()} | DEALS[proof["game"]](seed, start)
    for part, value in dealt.items():
        if part not in start or not same(value, start[part]):
            yield say("`{part}` is not what this seed deals", part=part)
    for part in sorted(set(start) - set(dealt) - given):
        yield say("`{part}` is no field of a deal of this game", part=part)


def errors_after(proof: dict[str, Any], before: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each part of a proof that does not follow from the proof of the deal before."""
    follows = (before["match"], before["deal"] + 1), (before["match"] + 1, 1)
    if proof["table"] != before["table"] or (proof["match"], proof["deal"]) not in follows:
        yield say("the other proof is not of the deal before")
        return
    if proof["match"] == before["match"]:
        for part in ("commitment", "server_seed", "client_seeds", "rules", "game"):
            if not same(proof[part], before[part]):
                yield say("`{part}` is not that of the deal before", part=part)
    if not same(proof["start"]["options"], before["start"]["options"]):
        yield say("`options` are not those of the deal before")
    if proof["start"]["dealer"] != (before["start"]["dealer"] + 1) % len(before["start"]["hands"]):
        yield say("`dealer` does not follow the dealer of the deal before")
    if proof["start"]["options"].get("tax") is True and not same(proof["start"]["dues"], dues_after(before)):
        yield say("`dues` do not follow from the ranking of the deal before")


# --- moves and result, by the rules


class RefusedMoveError(Exception):
    """The rules refuse a move; the message says why."""


class Rules(Protocol):
    """The rules of the games."""

    def version(self, game: str) -> int | None:
        """Return the version of a game's rules; none for an unknown game."""

    def play(self, game: str, deal: Any, move: Any) -> tuple[Any, Any]:  # noqa: ANN401  (JSON)
        """Return the deal after a move, and the result if the deal is over. Raises `RefusedMoveError`."""


class ImportedRules:
    """The rules of the engine's package. Raises `ImportError` if it cannot be imported."""

    def __init__(self) -> None:
        self._msgspec: Any = importlib.import_module("msgspec")
        self._games: Any = importlib.import_module("services.engine.games").GAMES
        self._base: Any = importlib.import_module("services.engine.games.base")
        self._shuffle: Any = importlib.import_module("services.engine.table.fairness").shuffle

    def version(self, game: str) -> int | None:
        """Return the version of a game's rules; none for an unknown game."""
        return self._games[game].rules if game in self._games else None

    def play(self, game: str, deal: Any, move: Any) -> tuple[Any, Any]:  # noqa: ANN401  (JSON)
        """Return the deal after a move, and the result if the deal is over. Raises `RefusedMoveError`."""
        rules, json_codec = self._games[game], self._msgspec.json
        try:
            state = rules.from_wire(json_codec.decode(json.dumps(deal), type=rules.wire_type))
            made = json_codec.decode(json.dumps(move), type=rules.move_type)
        except (self._msgspec.MsgspecError, self._base.MalformedDealError) as error:
            raise RefusedMoveError(str(error)) from None
        refusal = rules.check(state, made)
        if refusal:
            raise RefusedMoveError(refusal.code)
        after, _ = rules.play(state, made, self._shuffle)
        encoded = json_codec.encode((rules.to_wire(after), rules.result(after)))
        played: tuple[Any, Any] = tuple(json.loads(encoded))
        return played


class EngineRules:
    """The rules of an engine, through its stateless calls. Its methods raise `OSError` if it does not answer."""

    TRIES = 20

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    def version(self, game: str) -> int | None:
        """Return the version of a game's rules; none for an unknown game."""
        found: int = self._call(f"/v1/games/{game}", None)["rules_version"]
        return found

    def play(self, game: str, deal: Any, move: Any) -> tuple[Any, Any]:  # noqa: ANN401  (JSON)
        """Return the deal after a move, and the result if the deal is over. Raises `RefusedMoveError`."""
        played = self._call(f"/v1/games/{game}/play", {"deal": deal, "move": move})
        return played["deal"], played["result"]

    def _call(self, path: str, body: object) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data, {"Content-Type": "application/json"})  # noqa: S310
        for _ in range(self.TRIES):
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  (the user names the engine)
                    return self._decoded(answer)
            except urllib.error.HTTPError as error:
                if error.code in (400, 409, 422):
                    raise RefusedMoveError(self._decoded(error).get("code", error.code)) from None
                if error.code != 429:  # too many requests
                    raise
                time.sleep(min(float(error.headers.get("Retry-After") or 1), 10))
            except http.client.HTTPException as error:
                raise OSError(say("{url} does not answer in HTTP: {error}", url=self._url, error=repr(error))) from None
        raise OSError(say("{url} is too busy", url=self._url))

    def _decoded(self, answer: IO[bytes]) -> dict[str, Any]:
        try:
            return dict(json.loads(read_bounded(answer)))
        except (ValueError, TypeError, RecursionError):
            raise OSError(say("what answers at {url} is no engine", url=self._url)) from None


def importable_rules() -> Rules | None:
    """Return the rules of the engine's package, if it can be imported."""
    try:
        return ImportedRules()
    except ImportError:
        return None


def replay_errors(proof: dict[str, Any], rules: Rules) -> Iterator[str]:
    """Yield a sentence if the rules do not lead from the start through all moves to the result."""
    deal, result = proof["start"], None
    for number, made in enumerate(proof["moves"]):
        if made["seat"] != deal["turn"]:
            yield say("`moves[{number}]` is of seat {seat}, which was not on turn", number=number, seat=made["seat"])
            return
        try:
            deal, result = rules.play(proof["game"], deal, made["move"])
        except RefusedMoveError as error:
            yield say("`moves[{number}]` is against the rules: {error}", number=number, error=error)
            return
    if result is None:
        yield say("`moves` do not end the deal")
    elif not same(result, proof["result"]):
        yield say("`result` is not what the moves lead to")


# --- the comparison with what was published before


@dataclass(frozen=True)
class Published:
    """What a player saw or gave before the deal."""

    commitment: str | None = None
    client_seeds: Mapping[int, Collection[str]] = field(default_factory=dict)
    """By seat: the texts of which one was given; an empty text stands for none."""


@dataclass
class Report:
    """The findings of an examination."""

    errors: list[str]
    uncovered: dict[str, str] = field(default_factory=dict)
    """By field: why the examination does not vouch for it, and how a person can."""
    compared: bool = False
    """Whether the commitment was compared with one published before."""

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        if self.errors:
            return WRONG
        return AGREES if self.compared else NOTHING_TO_COMPARE


def published_errors(proof: dict[str, Any], published: Published) -> Iterator[str]:
    """Yield a sentence for each part of a proof that differs from what was published."""
    if published.commitment is not None and published.commitment != proof["commitment"]:
        seen = published.commitment
        yield say("`commitment` is not the one that was published before, {seen}", seen=seen)
    for seat, given in sorted(published.client_seeds.items()):
        if seat >= len(proof["client_seeds"]):
            yield say("there is no seat {seat}", seat=seat)
        elif proof["client_seeds"][seat] not in given:
            yield say("`client_seeds[{seat}]` is not what was given for this seat", seat=seat)


def examine(
    proof: dict[str, Any],
    published: Published = Published(),
    *,
    before: dict[str, Any] | None = None,
    rules: Rules | None = None,
) -> Report:
    """Check a proof against itself, what was published before, the proof of the deal before, and the rules.

    Raises `ValueError` for what is no proof, and `OSError` where an engine does not answer.
    """
    report = Report([*errors(proof), *published_errors(proof, published)], compared=published.commitment is not None)
    _note_unpublished(proof, published, report)
    _examine_sequence(proof, before, rules, report)
    _examine_play(proof, rules, report)
    return report


def _note_unpublished(proof: dict[str, Any], published: Published, report: Report) -> None:
    if published.commitment is None:
        why = say("not compared with what was published: is it what the table showed before?")
        report.uncovered["commitment"] = why
    others = [seat for seat in range(len(proof["client_seeds"])) if seat not in published.client_seeds]
    if others:
        seats = ", ".join(map(str, others))
        why = say("not compared with what was given for seat {seats}: ask who sat there", seats=seats)
        report.uncovered["client_seeds"] = why
    why = say("what of them decides the cards is recomputed; are they what the table showed?")
    report.uncovered["start.options"] = why


def _examine_sequence(
    proof: dict[str, Any], before: dict[str, Any] | None, rules: Rules | None, report: Report
) -> None:
    """Check what follows from the deal before, or note that it is not covered."""
    owed = proof["start"]["options"].get("tax") is True and (proof["match"], proof["deal"]) != (1, 1)
    if before is None:
        if proof["match"] > 1:
            why = say("must sit after the last dealer of the match before: see --before")
            report.uncovered["start.dealer"] = why
        if owed:
            report.uncovered["start.dues"] = say("must follow from the ranking of the deal before: see --before")
        return
    found = [*errors(before)]
    if not found and rules is not None and rules.version(before["game"]) == before["rules"]:
        found += replay_errors(before, rules)
    elif owed:
        why = say("follows from the ranking in the other proof, which was not recomputed")
        report.uncovered["start.dues"] = why
    report.errors += [say("the deal before: {error}", error=error) for error in found]
    report.errors += errors_after(proof, before)
    if proof["match"] != before["match"]:
        why = say("follows from the other proof, of another match: check that one with its own commitment")
        report.uncovered |= {"start.dealer": why} | ({"start.dues": why} if owed else {})


def _examine_play(proof: dict[str, Any], rules: Rules | None, report: Report) -> None:
    """Replay the deal by the rules, or note what is not covered without them."""
    version = None if rules is None else rules.version(proof["game"])
    if rules is None or version != proof["rules"]:
        why = say("no rules are at hand; --engine URL names an engine that has them")
        if rules is not None:
            why = say("the rules at hand are of version {version}", version=version)
        report.uncovered |= {"rules": why, "result": say("not recomputed: {why}", why=why)}
        report.uncovered["moves"] = say("not played again: {why}; are they what you saw?", why=why)
        return
    if not report.errors:  # a game's rules may raise anything for an invalid start
        report.errors += replay_errors(proof, rules)
    report.uncovered["moves"] = say("they are legal and lead to the result; are they the ones you saw?")


# --- the command


def described(proof: dict[str, Any], report: Report) -> Iterator[str]:
    """Yield the lines of output about a proof."""
    named = {name: proof[name] for name in ("deal", "match", "table")}
    yield from report.errors
    if report.exit_code == AGREES:
        yield say("Deal {deal} of match {match} at table {table} is as it was committed.", **named)
    elif report.exit_code == NOTHING_TO_COMPARE:
        yield say(
            "Deal {deal} of match {match} at table {table} agrees with itself, which proves nothing: whoever makes a "
            "proof can choose all its seeds.",
            **named,
        )
        yield say("Compare this with what the table showed, and what you gave, before the deal; or give it as options:")
    yield f"  --commitment {proof['commitment']}"
    for seat, given in enumerate(proof["client_seeds"]):
        option = f"  --client-seed {seat}={given}"
        yield option if given else say("{option}  (seat {seat} gave none)", option=option, seat=seat)
    yield say("Not covered:")
    yield from (
        Sentence.of("  {name}: {why}", {"name": name, "why": why}) for name, why in sorted(report.uncovered.items())
    )


def check(
    text: str,
    published: Published = Published(),
    *,
    before: str | None = None,
    rules: Rules | None = None,
    gettext: Translate = str,
) -> int:
    """Check the text of a proof, with that of the deal before if given; print the findings, return the exit code."""
    try:
        proof = read_proof(text)
        report = examine(proof, published, before=None if before is None else read_proof(before), rules=rules)
    except OSError as error:
        return _unreadable(say("The engine does not answer: {error}", error=_words(error)), gettext)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return _unreadable(_no_proof(error), gettext)
    _print_lines(str(translated(line, gettext)) for line in described(proof, report))
    return report.exit_code


def _no_proof(error: Exception) -> Sentence:
    if isinstance(error, OSError) and error.filename:
        return say("{file} cannot be read: {error}.", file=error.filename, error=error.strerror)
    kind = type(error).__name__
    return say("This is no proof that can be read: {kind}: {error}", kind=kind, error=_words(error))


def _words(error: Exception) -> str:
    """Return the message of an error; a `Sentence` unchanged, so that it can be translated."""
    first = error.args[0] if error.args else ""
    return first if isinstance(first, Sentence) else str(error)


def _unreadable(why: Sentence, gettext: Translate) -> int:
    print(escaped(str(translated(why, gettext)), sys.stderr), file=sys.stderr)
    return UNREADABLE


def escaped(text: str, file: TextIO) -> str:
    """Return a text with its control characters escaped, and those that the file's encoding cannot express."""
    printable = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    encoding = file.encoding or "utf-8"
    return printable.encode(encoding, "backslashreplace").decode(encoding)


def _print_lines(lines: Iterable[str]) -> None:
    """Print escaped lines, until the reader, such as `head`, closes the pipe."""
    try:
        for line in lines:
            print(escaped(line, sys.stdout))
        sys.stdout.flush()
    except BrokenPipeError:
        with Path(os.devnull).open("wb") as nothing:  # for the rest of the buffer, which Python flushes when it ends
            os.dup2(nothing.fileno(), sys.stdout.fileno())


def seat_and_seed(text: str) -> tuple[int, str]:
    """Return the seat and the client seed of an option's value. Raises `argparse.ArgumentTypeError`."""
    seat, equals, seed = text.partition("=")
    if not equals or not re.fullmatch("[0-9]", seat):
        raise argparse.ArgumentTypeError(f"{text!r} is not SEAT=TEXT, seats counted from 0")
    return int(seat), seed


def hexadecimal(text: str) -> str:
    """Return a commitment in lower case. Raises `argparse.ArgumentTypeError` for anything else."""
    found = text.strip().lower()
    if not SEED.fullmatch(found):
        raise argparse.ArgumentTypeError(f"{text!r} is not 64 hexadecimal digits")
    return found


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what was published before, and where the rules are."""
    parser.add_argument("--commitment", metavar="HEX", type=hexadecimal, help="as the table showed it before the deal")
    seed_help = "a seat, counted from 0, and the client seed that was given for it before the match; may be repeated"
    parser.add_argument("--client-seed", metavar="SEAT=TEXT", type=seat_and_seed, action="append", help=seed_help)
    parser.add_argument("--before", metavar="PROOF", help="the proof of the deal before: dealer and tax follow from it")
    parser.add_argument("--engine", metavar="URL", help="an engine whose rules play the moves again")


def published_by(arguments: argparse.Namespace) -> Published:
    """Return what the options say was published before."""
    seeds: dict[int, set[str]] = {}
    for seat, seed in arguments.client_seed or ():
        seeds.setdefault(seat, set()).add(seed)
    return Published(arguments.commitment, seeds)


def check_file(arguments: argparse.Namespace, gettext: Translate = str) -> int:
    """Check the proof in the file `arguments.proof`; return the exit code."""
    try:
        text = read_bounded(sys.stdin.buffer) if arguments.proof == "-" else _read_path(arguments.proof)
    except (OSError, ValueError) as error:
        return _unreadable(_no_proof(error), gettext)
    return check_text(text, published_by(arguments), arguments, gettext)


def check_text(text: str, published: Published, arguments: argparse.Namespace, gettext: Translate = str) -> int:
    """Check the text of a proof by the proof before and the rules that the options name; return the exit code.

    The findings are printed in the language of `gettext`.
    """
    try:
        before = None if arguments.before is None else _read_path(arguments.before)
    except (OSError, ValueError) as error:
        return _unreadable(_no_proof(error), gettext)
    rules = EngineRules(arguments.engine) if arguments.engine else importable_rules()
    return check(text, published, before=before, rules=rules, gettext=gettext)


def main(arguments: list[str] | None = None) -> int:
    """Check the proof that the command line names; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="locanda-verify",
        description="Check from its proof that a deal was dealt as it had been committed.",
        epilog="Exit codes: 0 all agrees with what was published before the deal; 1 something does not; 2 no proof; "
        "3 the proof agrees with itself, but no commitment was given to compare it with, so that it proves nothing.",
    )
    parser.add_argument("proof", metavar="PROOF", help="a downloaded proof, - for standard input")
    add_options(parser)
    return check_file(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
