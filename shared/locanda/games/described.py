"""Deals cards as described in a game's `dealing.json`; the proofs of its deals contain this description.

Descriptions are for games whose hands are dealt from one shuffled pack; other games have their own `deal` function. The
verifier reads descriptions with independent code. docs/fairness.md explains the format.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from locanda.games.conversions import hand_form
from locanda.games.dealing import begun, deal_out
from locanda.games.forms import FLAGS, BaseState, CardsForm, EachSeat, declared, form_of, said
from locanda.games.game import Ranking, Shuffle

D = TypeVar("D", bound=BaseState[Any])


class Pack(Protocol):
    """Returns the cards of the pack for these options and players."""

    def __call__(self, options: Any, players: int = 0, /) -> tuple[int, ...]: ...  # noqa: ANN401, D102  (of any game)


Deal: TypeAlias = Callable[[Any, int, int, bytes, Shuffle, Ranking | None], D]
"""Returns a fresh deal, with the arguments of `Game.deal`."""


def described(file: str, state: type[D]) -> tuple[Pack, Deal[D]]:
    """Return a game's `cards_in_play` and `deal`, built from the `dealing.json` next to one of its files.

    Each pile in the description is a field of the state. Other fields start with the value of their `EachSeat`, or with
    their default.
    """
    description = json.loads(Path(file).with_name("dealing.json").read_text("utf-8"))
    (shuffled, *steps), hand, fields = description["steps"], hand_form(state), declared(state)
    make: Callable[..., D] = state
    codes = tuple(hand.numbers)
    piles = {fields[name].name: (name, _maker(fields[name].type, codes)) for name in description["piles"]}
    kept = [field for field in fields.values() if form_of(field.type) is not FLAGS]
    starts = {field.name: mark.start for field in kept for mark in said(field.type, EachSeat)}

    @lru_cache(maxsize=64)
    def cards_in_play(options: Any, players: int = 0) -> tuple[int, ...]:  # noqa: ANN401  (of any game)
        return tuple([hand.numbers[code] for code in _pack(shuffled["shuffle"], options, players)])

    def deal(options: Any, players: int, dealer: int, seed: bytes, shuffle: Shuffle, _: Ranking | None) -> D:  # noqa: ANN401
        lying = {shuffled["to"]: shuffle(seed, 0, cards_in_play(options, players))}
        hands: list[list[int]] = []
        for step in steps:
            match step:
                case {"hands": number, "from": pile}:
                    hands = deal_out(lying[pile], players, dealer, _value(number, options, players))
                case {"take": count, "from": pile, "to": other}:
                    lying[other] = [lying[pile].pop() for _ in range(count)]
                case {"sort": pile, "to": other}:
                    lying[other] = sorted(lying[pile])
                case _:
                    raise ValueError(f"{step}: a game that is dealt like this needs a function `deal`")
        made = {name: pile_of(lying[pile]) for name, (pile, pile_of) in piles.items()}
        made |= {name: (start,) * players for name, start in starts.items()}
        return make(*begun(options, players, dealer, seed), hands=tuple(map(hand.of, hands)), **made)

    return cards_in_play, deal


def _maker(annotation: Any, codes: Sequence[str]) -> Callable[[list[int]], Any]:  # noqa: ANN401  (a type)
    """Return a function that converts a pile's cards to a field of this type."""
    form = form_of(annotation)
    if isinstance(form, CardsForm):
        return form.of
    made = form.from_wire if form else tuple
    return lambda cards: made([codes[card] for card in cards])


def _pack(parts: Sequence[Mapping[str, Any]], options: Any, players: int) -> Iterator[str]:  # noqa: ANN401
    """Yield the card codes of a pack, in their order before the shuffle."""
    for part in parts:
        if "cards" in part:
            yield from part["cards"]
            continue
        left_out = _value(part.get("without"), options, players) or "nothing"
        of_suits = [[rank + suit for rank in part["ranks"]] for suit in part["suits"]]
        for cards in of_suits if part["by"] == "suit" else zip(*of_suits, strict=True):
            yield from (code for code in cards if not code.endswith(left_out))


def _value(value: Any, options: Any, players: int) -> Any:  # noqa: ANN401  (any JSON value)
    """Evaluate a value of a description, which may depend on an option or on the number of players."""
    match value:
        case {"if": condition, "then": then, "default": default}:
            return then if _value(condition, options, players) else default
        case {"option": name, "is": wanted}:
            return getattr(options, name) == wanted
        case {"option": name}:
            return getattr(options, name)
        case {"players": by_number, "default": default}:
            return by_number.get(str(players), default)
    return value
