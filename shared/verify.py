"""Checks the proof of a finished deal: was it really dealt from the seed that the table had committed to?

Stand-alone: it needs nothing but Python, and shares no code with the engine. Download a proof from
`GET /v1/tables/{table}/deals/{n}` and run `make verify PROOF=proof.json`, or this file with the proof's path
(`-` for standard input). It prints what it recomputed and exits 0 only if everything agrees.

What a valid proof says: the server seed was fixed before the players gave theirs, and the cards follow from all of
them. What it does not say: that the house did not look at the cards, and who was first and last in the deal before,
which is in that deal's proof (docs/fairness.md).
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

DOMAIN = b"locanda-shuffle-v1"
ENDLESS = 1000
"""Shuffles after which a tie is none that any table had."""


def commitment(table: str, match: int, server_seed: bytes) -> str:
    """SHA-256("locanda-shuffle-v1" ‖ table ‖ match in decimal digits ‖ server seed)."""
    return hashlib.sha256(DOMAIN + table.encode() + str(match).encode() + server_seed).hexdigest()


def deal_seed(server_seed: bytes, table: str, match: int, deal: int, client_seeds: list[str]) -> bytes:
    """HMAC-SHA-256(server seed, compact JSON of [table, match, deal, client seeds])."""
    text = json.dumps([table, match, deal, client_seeds], ensure_ascii=False, separators=(",", ":"))
    return hmac.digest(server_seed, text.encode(), "sha256")


def shuffled(seed: bytes, index: int, cards: list[str]) -> list[str]:
    """Fisher-Yates from the end, each draw a 32-bit word below the largest multiple of the bound."""
    cards, numbers = list(cards), words(seed, index)
    for last in range(len(cards) - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)
        chosen = next(number for number in numbers if number < limit) % (last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def words(seed: bytes, index: int) -> Iterator[int]:
    """Eight big-endian words from each HMAC-SHA-256(seed, index ‖ counter), both as 4 bytes."""
    counter = 0
    while True:
        block = hmac.digest(seed, index.to_bytes(4, "big") + counter.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


Deal: TypeAlias = Callable[[bytes, dict[str, Any]], dict[str, Any]]
"""Deals the cards that a seed gives, from the start's options, dealer and number of hands."""

RANKS = "A23456789TJQK"
FIGURES = ["MATTO", "LEONE", "MASCHERONE", "SECCHIA", "NULLA"]
NUMERALS = ["", "I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "VIIII"]
CUCCU = FIGURES + NUMERALS[1:] + ["X" + numeral for numeral in NUMERALS[:6]]


def french() -> list[str]:
    """Return a pack of 52 by rank and suit."""
    return [rank + suit for rank in RANKS for suit in "hdcs"]


def round_the_table(stock: list[str], start: dict[str, Any], each: int) -> list[list[str]]:
    """Deal so many cards each from the top of the stock, one at a time from the seat after the dealer."""
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
    """Sort hands as a proof lists them."""
    return [sorted(hand, key=pack.index) for hand in hands]


def ramino(seed: bytes, start: dict[str, Any]) -> dict[str, Any]:
    """Five cards each, then one face up: twice the Cuccù's designs."""
    stock = shuffled(seed, 0, CUCCU * 2)
    hands, discards = round_the_table(stock, start, 5), [stock.pop()]
    return {"hands": in_order(CUCCU, *hands), "stock": stock, "discards": discards, "turn": after_dealer(start)}


def gatto_rosso(seed: bytes, start: dict[str, Any]) -> dict[str, Any]:
    """Four cards each; the top of the stock is dealt next."""
    suits = [suit for suit in "hdcs" if suit != start["options"].get("three_suits")]
    pack = [rank + suit for suit in suits for rank in "A234567JQK"]
    stock = shuffled(seed, 0, pack)
    hands = round_the_table(stock, start, 4)
    return {"hands": in_order(pack, *hands), "stock": stock, "turn": after_dealer(start)}


def diavoletto(seed: bytes, start: dict[str, Any]) -> dict[str, Any]:
    """Shuffle 0 is the mazzetti's pack, 1 the stock with what is left of that pack; further ones break a tie.

    The higher top card starts, Ace low, and has drawn five cards already.
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
        elif shuffles > ENDLESS:
            raise ValueError("no shuffle breaks the tie for the first turn")
        else:
            mazzetti = [shuffled(seed, shuffles + seat, mazzetti[seat]) for seat in (0, 1)]
            shuffles += 2
    drawn: list[list[str]] = [[], []]
    drawn[turn] = stock[-5:]
    hands = in_order([*pack, "*"], *drawn)
    return {"hands": hands, "mazzetti": mazzetti, "stock": stock[:-5], "turn": turn, "shuffles": shuffles}


def presidente(seed: bytes, start: dict[str, Any]) -> dict[str, Any]:
    """Thirteen cards each, ten for five players; the rest is left over. Who owes a tax comes first."""
    pack = french() + (["*"] if start["options"].get("joker") else [])
    stock = shuffled(seed, 0, pack)
    hands = round_the_table(stock, start, 10 if len(start["hands"]) == 5 else 13)
    turn = start["dues"][0][0] if start["dues"] else after_dealer(start)
    return {"hands": in_order(pack, *hands), "shown": in_order(pack, stock)[0], "turn": turn}


DEALS: dict[str, Deal] = {
    "ramino": ramino,
    "gatto_rosso": gatto_rosso,
    "diavoletto": diavoletto,
    "presidente": presidente,
}


def first_dealer(proof: dict[str, Any], server_seed: bytes) -> int:
    """Return the first dealer of a table's first match, whom deal 0 draws."""
    seed = deal_seed(server_seed, proof["table"], proof["match"], 0, proof["client_seeds"])
    seats = [str(seat) for seat in range(len(proof["start"]["hands"]))]
    return int(shuffled(seed, 0, seats)[0])


def may_be_owed(proof: dict[str, Any]) -> bool:
    """Tell whether Presidente's taxes are owed when they must be, in the right number, each between seats of its own.

    None before a table's first deal; later two cards and, from four players on, one. A rematch of fewer or more
    players begins without.
    """
    dues, players = proof["start"]["dues"], len(proof["start"]["hands"])
    if not proof["start"]["options"].get("tax") or proof["match"] == proof["deal"] == 1:
        return not dues
    if not dues:
        return bool(proof["match"] > 1 and proof["deal"] == 1)
    concerned = {seat for giver, partner, _ in dues for seat in (giver, partner)}
    return (
        [count for _, _, count in dues] == ([2, 1] if players > 3 else [2])
        and len(concerned) == 2 * len(dues)
        and concerned <= set(range(players))
    )


def faults(proof: dict[str, Any]) -> Iterator[str]:
    """Yield what does not agree in a proof."""
    server_seed = bytes.fromhex(proof["server_seed"])
    if commitment(proof["table"], proof["match"], server_seed) != proof["commitment"]:
        yield "the server seed is not the one that was committed to"
    seed = deal_seed(server_seed, proof["table"], proof["match"], proof["deal"], proof["client_seeds"])
    if seed.hex() != proof["seed"]:
        yield "the deal's seed does not come from the server seed and the players' seeds"
    if len(proof["client_seeds"]) != len(proof["start"]["hands"]):
        yield "there is not one client seed for each seat"
    yield from misdealt(proof, seed)
    if proof["match"] == 1:
        dealer = (first_dealer(proof, server_seed) + proof["deal"] - 1) % len(proof["start"]["hands"])
        if dealer != proof["start"]["dealer"]:
            yield "`dealer` is not the one that deal 0 draws, or who follows"
    if proof["game"] == "presidente" and not may_be_owed(proof):
        yield "`dues` cannot be owed in this deal"


def misdealt(proof: dict[str, Any], seed: bytes) -> Iterator[str]:
    """Yield what the deal's seed does not deal."""
    if proof["start"]["seed"] != seed.hex():
        yield "`seed` is not what this deal started from"
    for part, dealt in DEALS[proof["game"]](seed, proof["start"]).items():
        if dealt != proof["start"][part]:
            yield f"`{part}` is not what this seed deals"


def check(text: str) -> int:
    """Check a proof, tell what was found, and return the exit code."""
    try:
        proof = json.loads(text)
        found = list(faults(proof))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        print(f"This is no proof that can be read: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    for line in found or [
        f"Deal {proof['deal']} of match {proof['match']} at table {proof['table']} is as it was committed."
    ]:
        print(line)
    return 1 if found else 0


def main(arguments: list[str] | None = None) -> int:
    """Check the proof that the command line names; return the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) != 1:
        print(f"usage: {Path(sys.argv[0]).name} PROOF.json   (- for standard input)", file=sys.stderr)
        return 2
    try:
        text = sys.stdin.read() if arguments[0] == "-" else Path(arguments[0]).read_text("utf-8")
    except (OSError, ValueError) as error:
        print(f"This is no proof that can be read: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return check(text)


if __name__ == "__main__":
    sys.exit(main())
