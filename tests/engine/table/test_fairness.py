"""Provable shuffles: a second implementation, from the docstrings and SHA-256, gets the same cards."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from services.engine.table.fairness import commitment, deal_seed, server_seed, shuffle

SEED = bytes(range(32))

TABLE = "AAAAAAAAAAAAAAAAAAAAAA"


# --- a second implementation, written from the docstrings alone


def _hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 as RFC 2104 defines it, for keys of up to 64 bytes."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def _again(seed: bytes, index: int, cards: list[int]) -> list[int]:
    """Fisher-Yates from the last card down. It skips 32-bit words that would make small numbers more likely."""
    order, block, words = list(cards), 0, b""
    for size in range(len(order), 1, -1):
        while True:
            if not words:
                words = _hmac(seed, index.to_bytes(4, "big") + block.to_bytes(4, "big"))
                block += 1
            word, words = int.from_bytes(words[:4], "big"), words[4:]
            if word < 2**32 // size * size:
                break
        order[size - 1], order[word % size] = order[word % size], order[size - 1]
    return order


@given(seed=st.binary(min_size=32, max_size=32), index=st.integers(0, 2**32 - 1), size=st.integers(0, 120))
def test_an_independent_implementation_shuffles_alike(seed: bytes, index: int, size: int) -> None:
    assert shuffle(seed, index, range(size)) == _again(seed, index, list(range(size)))


# --- golden vectors


def test_the_shuffles_of_a_known_seed() -> None:
    assert shuffle(SEED, 0, range(10)) == [2, 8, 0, 6, 4, 1, 7, 9, 5, 3]
    assert shuffle(SEED, 1, range(10)) == [8, 7, 5, 2, 1, 6, 0, 3, 9, 4]
    pack = (
        "5 18 30 7 35 16 28 8 19 32 6 17 31 36 20 2 13 39 22 12 14 34 0 11 9 38 3 10 26 27 24 37 21 23 4 1 15 25 29 33"
    )
    assert shuffle(SEED, 0, range(40)) == [int(card) for card in pack.split()]


def test_the_server_seed_of_a_known_root() -> None:
    assert server_seed(SEED, 1).hex() == "624755a1eaa847fb7aaedc2a4cb959d060a985790b0bf5f7808c5cfb0e328f38"
    assert server_seed(SEED, 1) == _hmac(SEED, b"locanda-shuffle-v1 match 1")


def test_the_commitment_to_a_known_server_seed() -> None:
    published = commitment(TABLE, 12, SEED)
    assert published == "4630a542f844f5601f787387ca70404f9b3959b4cfb2be5de91a33112df0b0f9"
    assert published == hashlib.sha256(b"locanda-shuffle-v1" + TABLE.encode() + b"12" + SEED).hexdigest()


def test_the_deal_seed_of_known_client_seeds() -> None:
    seed = deal_seed(SEED, TABLE, 1, 2, ["", 'quadri "♦"\\', "è"])
    assert seed.hex() == "fc7d55a75d03938b030e6f3c1f04f1daa5d48df137c860224fa4d99d057726dd"
    message = f'["{TABLE}",1,2,["","quadri \\"♦\\"\\\\","è"]]'
    assert seed == _hmac(SEED, message.encode())


# --- guarantees for players


def test_every_client_seed_changes_the_deal() -> None:
    shares = (["a", "b"], ["a", ""], ["", "b"], ["ab", ""], ["b", "a"], ["a,b", ""], ['a","b', ""])
    seeds = {deal_seed(SEED, TABLE, 1, 1, share) for share in shares}
    assert len(seeds) == len(shares)


def test_every_deal_and_match_has_a_seed_of_its_own() -> None:
    seeds = {deal_seed(server_seed(SEED, match), TABLE, match, deal, []) for match in (1, 2, 11) for deal in (1, 2, 11)}
    assert len(seeds) == 9


def test_every_order_of_four_cards_is_as_likely() -> None:
    orders = Counter(tuple(shuffle(_seed(number), 0, range(4))) for number in range(4800))
    assert set(orders) == set(permutations(range(4)))
    assert _chi_square(orders.values(), 200) < 49.7, "one honest shuffle in a thousand is above, 23 degrees of freedom"


def test_every_card_of_a_pack_is_as_likely_in_every_place() -> None:
    places = Counter(pair for number in range(2000) for pair in enumerate(shuffle(_seed(number), 0, range(40))))
    assert len(places) == 1600
    assert _chi_square(places.values(), 50) < 1696, "one honest shuffle in a thousand is above, 1521 degrees of freedom"


def test_the_next_shuffle_reveals_nothing_of_the_last() -> None:
    tops = Counter(
        (shuffle(_seed(number), 0, range(6))[0], shuffle(_seed(number), 1, range(6))[0]) for number in range(3600)
    )
    assert len(tops) == 36
    assert _chi_square(tops.values(), 100) < 66.6, "one honest shuffle in a thousand is above, 35 degrees of freedom"


def _seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def _chi_square(counts: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)
