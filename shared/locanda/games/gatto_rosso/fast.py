"""A fast simulator on plain integers, with the same rules as the game's `play` but without events.

Cards are numbers, hands are bit sets, and a move is a card or `PASS`. A test compares the simulator with the rules.
"""

from dataclasses import dataclass
from functools import lru_cache

from locanda.games.gatto_rosso.rules import HAND, beaters, cards_in_play
from locanda.games.gatto_rosso.types import Options

PASS = -1
"""A pass. As the top card, it stands for an empty table."""
NOBODY = -1
"""Stands for no seat: in the turn of a finished deal, and as the player of the top card of an empty table."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of a deal, prepared for fast use by the simulator and the computer players."""

    beaters: tuple[int, ...]
    """Cards that beat each top card, as bit sets."""
    beaten: tuple[int, ...]
    """Top cards that each card beats, as bit sets."""
    pack: int
    free_pass: bool
    lock: bool
    plays_out: bool
    closer_takes: bool
    level: bool


@lru_cache(maxsize=64)
def rules_of(options: Options) -> Rules:
    """Return the rules for these options."""
    beat = beaters(options)
    beaten = tuple(sum(1 << top for top in range(52) if beat[top] >> card & 1) for card in range(52))
    return Rules(
        beaters=beat,
        beaten=beaten,
        pack=len(cards_in_play(options)),
        free_pass=options.voluntary_pass,
        lock=options.pass_lock,
        plays_out=options.last_trick == "play_out",
        closer_takes=options.last_trick == "closer",
        level=options.last_deal == "level_hands",
    )


@lru_cache(maxsize=16)
def rounds(players: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each seat, all seats in order of play, starting from that seat."""
    return tuple((*range(first, players), *range(first)) for first in range(players))


class Position:
    """A deal with all cards known. The method `move` changes it in place."""

    __slots__ = (
        "captured",
        "hands",
        "last",
        "left",
        "live",
        "lock",
        "pile",
        "players",
        "rules",
        "stock",
        "top",
        "turn",
    )

    def __init__(self, rules: Rules, hands: list[int], stock: bytes, captured: list[int]) -> None:
        """Start with these cards in hands and stock, an empty table, and no seat on turn."""
        self.rules = rules
        self.players = len(hands)
        self.hands = hands
        self.stock = stock
        """Bottom first; only the first `left` cards remain."""
        self.left = len(stock)
        self.captured = captured
        self.top = PASS
        self.pile = 0
        self.last = NOBODY
        self.turn = NOBODY
        self.lock = 0
        """Bit set of the seats that have passed in this trick (option `pass_lock`)."""
        self.live = 0
        """Bit set of the cards in hands and stock."""
        for hand in hands:
            self.live |= hand
        for card in stock:
            self.live |= 1 << card

    def copy(self) -> "Position":
        """Return an independent copy."""
        other = Position.__new__(Position)
        other.rules, other.players, other.stock, other.left = self.rules, self.players, self.stock, self.left
        other.hands, other.captured = self.hands.copy(), self.captured.copy()
        other.top, other.pile, other.last, other.turn = self.top, self.pile, self.last, self.turn
        other.lock, other.live = self.lock, self.live
        return other

    def legal(self) -> int:
        """Return the cards that the seat on turn may play, as a bit set. If the set is empty, the seat may pass."""
        hand = self.hands[self.turn]
        return hand & self.rules.beaters[self.top] if self.pile else hand

    def move(self, card: int) -> None:
        """Play a card for the seat on turn, or `PASS`."""
        seat = self.turn
        following = seat + 1 if seat + 1 < self.players else 0
        if card >= 0:
            self._lay(seat, card)
            if not self.hands[seat] and not self.left and not self.rules.plays_out:
                self._close(seat)
                return
        elif self.rules.lock:
            self.lock |= 1 << seat
        if self.lock:
            while self.lock >> following & 1 and following != self.last:
                following = following + 1 if following + 1 < self.players else 0
        self.turn = following
        if following == self.last:
            self._end_trick(following)

    def _lay(self, seat: int, card: int) -> None:
        self.hands[seat] ^= 1 << card
        self.live ^= 1 << card
        self.top = card
        self.pile += 1
        self.last = seat

    def _close(self, seat: int) -> None:
        if self.rules.closer_takes:
            self.captured[seat] += self.pile
        self.pile = 0
        self.turn = NOBODY

    def _end_trick(self, winner: int) -> None:
        self.captured[winner] += self.pile
        self.pile = self.lock = 0
        self.top = self.last = NOBODY
        if self.left:
            self._refill(winner)
        if not all(self.hands):
            self.turn = NOBODY

    def _refill(self, winner: int) -> None:
        hands, stock, left = self.hands, self.stock, self.left
        counts = [hand.bit_count() for hand in hands]
        order = rounds(self.players)[winner]
        while left and (shortest := min(counts)) < HAND:
            longest = shortest if self.rules.level else HAND - 1
            for seat in order:
                if counts[seat] <= longest and left:
                    left -= 1
                    hands[seat] |= 1 << stock[left]
                    counts[seat] += 1
        self.left = left
