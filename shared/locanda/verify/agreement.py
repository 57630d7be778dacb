"""Checks that a proof is consistent in itself, and with the proof of the deal before."""

import json
from collections.abc import Iterator
from typing import Any

from .dealing import Dealing, dealt, is_taxed, known_dealing
from .form import demand_form
from .sentences import UnreadableError, say
from .shuffling import commitment, deal_seed, shuffled

START = ("game", "seed", "options", "dealer", "hands", "turn", "shuffles")
"""Fields that the start of a deal has in every game."""


def same(one: object, other: object) -> bool:
    """Return whether two JSON values are the same. Unlike `==`, distinguish 1 from true and from 1.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def first_dealer(proof: dict[str, Any], server_seed: bytes) -> int:
    """Draw the first dealer of a table's first match, with the seed of the match's deal 0."""
    seed = deal_seed(server_seed, proof["table"], proof["match"], 0, proof["client_seeds"])
    seats = [str(seat) for seat in range(len(proof["start"]["hands"]))]
    return int(shuffled(seed, 0, seats)[0])


def dues_are_valid(proof: dict[str, Any], dealing: Dealing) -> bool:
    """Return whether the right number of taxes is due, and no seat occurs twice in them.

    In a table's first deal no tax is due. Later there is a tax of two cards and, with four or more players, a tax of
    one card.
    """
    dues, players = proof["start"]["dues"], len(proof["start"]["hands"])
    if not is_taxed(dealing, proof["start"]) or proof["match"] == proof["deal"] == 1:
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
    """Compute the taxes due from the ranking of the deal before."""
    places = [seat for place in before["result"]["ranking"] for seat in place]
    second = [[places[1], places[-2], 1]] if len(places) > 3 else []
    return [[places[0], places[-1], 2], *second]


def dealing_of(proof: dict[str, Any], known: Dealing | None = None) -> Dealing:
    """Return how a proof's cards are dealt: as known, or as the proof says. Raises `UnreadableError`."""
    dealing: Dealing | None = known or known_dealing(proof["game"]) or proof.get("dealing")
    if dealing is None:
        raise UnreadableError(say("`dealing` is missing, and no description of how this game is dealt is at hand"))
    return dealing


def errors(proof: dict[str, Any], known: Dealing | None = None) -> Iterator[str]:
    """Yield a sentence for each contradiction within a proof. Raises `ValueError` if it is not a proof.

    `known` describes the dealing of a game of another package. A proof without contradictions does not prove anything
    yet: `examine` compares it with what was published before.
    """
    demand_form(proof)
    dealing = dealing_of(proof, known)
    if not same(proof.get("dealing", dealing), dealing):
        yield say("`dealing` is not how this game is dealt")
    server_seed = bytes.fromhex(proof["server_seed"])
    if commitment(proof["table"], proof["match"], server_seed) != proof["commitment"]:
        yield say("the server seed is not the one that was committed to")
    seed = deal_seed(server_seed, proof["table"], proof["match"], proof["deal"], proof["client_seeds"])
    if seed.hex() != proof["seed"]:
        yield say("the deal's seed does not come from the server seed and the players' seeds")
    if len(proof["client_seeds"]) != len(proof["start"]["hands"]):
        yield say("there is not one client seed for each seat")
    yield from start_errors(proof, dealing, seed)
    if proof["match"] == 1:
        dealer = (first_dealer(proof, server_seed) + proof["deal"] - 1) % len(proof["start"]["hands"])
        if dealer != proof["start"]["dealer"]:
            yield say("`dealer` is not the one that deal 0 draws, or who follows")
    if "tax" in dealing and not dues_are_valid(proof, dealing):
        yield say("`dues` cannot be owed in this deal")


def start_errors(proof: dict[str, Any], dealing: Dealing, seed: bytes) -> Iterator[str]:
    """Yield a sentence for each field of the start that does not follow from the deal's seed."""
    start = proof["start"]
    if "tax" in dealing and "dues" not in start:
        raise UnreadableError(say("`{name}` is missing", name="start.dues"))
    follows = {"game": proof["game"], "seed": seed.hex()} | dealt(dealing, seed, start)
    for part, value in follows.items():
        if part not in start or not same(value, start[part]):
            yield say("`{part}` is not what this seed deals", part=part)


def unknown_parts(proof: dict[str, Any], dealing: Dealing) -> list[str]:
    """Return the fields of the start that the game does not have; a later release may have added them."""
    known = {*START, *dealing["fields"], *dealing["piles"]} | ({"dues"} if "tax" in dealing else set())
    return sorted(set(proof["start"]) - known)


def errors_after(proof: dict[str, Any], before: dict[str, Any], known: Dealing | None = None) -> Iterator[str]:
    """Yield a sentence for each part of a proof that contradicts the proof of the deal before."""
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
    if proof["match"] != before["match"] and _has_other_players(proof):
        return
    if proof["start"]["dealer"] != (before["start"]["dealer"] + 1) % len(before["start"]["hands"]):
        yield say("`dealer` does not follow the dealer of the deal before")
    if is_taxed(dealing_of(proof, known), proof["start"]) and not same(proof["start"]["dues"], dues_after(before)):
        yield say("`dues` do not follow from the ranking of the deal before")


def _has_other_players(proof: dict[str, Any]) -> bool:
    """Return whether the match began with new players: the dealer is drawn, and no tax is due."""
    drawn = first_dealer(proof, bytes.fromhex(proof["server_seed"]))
    return bool(proof["start"]["dealer"] == drawn and not proof["start"].get("dues"))
