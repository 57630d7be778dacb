"""The model of a table: the sequence of its steps, as everybody together saw them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from services.engine import fairness
from services.engine.games.registry import GAMES
from shared.messages import Proof
from tests.e2e.fire.asking import JsonObject, Write

Viewer = int | None
"""A seat, or a spectator."""

STILL = {"opened", "changed", "sat", "left", "replaced", "seeded", "started", "away", "returned", "deadline_moved"}
"""Events of steps in which no card is moved."""


@dataclass
class History:
    """What was seen of each version, by whom."""

    seen: dict[int, dict[Viewer, JsonObject]] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The newest version that anyone has seen."""
        return max(self.seen, default=0)

    def see(self, viewer: Viewer, table: JsonObject) -> None:
        """Note what a viewer saw: whenever and wherever he looks at one version, it is the same."""
        views = self.seen.setdefault(table["version"], {})
        assert views.setdefault(viewer, table) == table, "one version was seen in two ways"

    def check_line(self) -> None:
        """Versions follow one another without a gap, and everybody heard of the same events."""
        assert sorted(self.seen) == list(range(1, self.last + 1))
        for views in self.seen.values():
            first = next(iter(views.values()))
            assert all(view["events"] == first["events"] for view in views.values())

    def check_writes(self, writes: Sequence[Write]) -> None:
        """Each confirmed write made one version of its own, which looks to its sender as the answer had it."""
        confirmed = [write for write in writes if write.confirmed]
        assert len({write.made for write in confirmed}) == len(confirmed), "two writes made the same version"
        for write in confirmed:
            assert write.made is not None
            assert write.confirmed is not None
            told = write.confirmed.json
            table = told.get("table", told)
            shown = self.seen[write.made].get(table["you"])
            assert shown in (None, table), "the answer and the stream disagree"

    def check_moves(self, writes: Sequence[Write], proofs: Sequence[Proof]) -> None:
        """The log of all deals holds the confirmed moves, those of computer players, and no other.

        Replayed, it leads to every view that anyone saw.
        """
        moves = {write.made: write for write in writes if write.move is not None and write.confirmed}
        played = [(made.seat, made.move) for proof in proofs for made in proof.moves]
        deals = _replayed(proofs)
        begun = next(version for version, views in sorted(self.seen.items()) if _any(views)["status"] != "open")
        done = 0
        for version in range(begun, self.last + 1):
            views = self.seen[version]
            if _moved(_any(views)):
                seat, move = played[done]
                done += 1
                if version in moves:
                    assert (moves[version].seat, moves[version].move) == (seat, move), "another move was logged"
                else:
                    before = _any(self.seen[version - 1])["seats"][seat]
                    assert before["kind"] == "computer", "a person's move that nobody confirmed was played"
            game, deal = deals[done]
            for viewer, view in views.items():
                assert view["deal"] == _on_the_wire(GAMES[game].view(deal, viewer)), "a view and the log disagree"
        assert done == len(played), "the log holds moves that nobody saw"
        assert all(_moved(_any(self.seen[version])) for version in moves if version), "a confirmed move is missing"


def _any(views: dict[Viewer, JsonObject]) -> JsonObject:
    return next(iter(views.values()))


def _moved(table: JsonObject) -> bool:
    return not {event["type"] for event in table["events"]} & STILL


def _replayed(proofs: Sequence[Proof]) -> list[tuple[str, Any]]:
    """Return every state of the match, from the first cards dealt on: the end of a deal is the next one's beginning."""
    states: list[tuple[str, Any]] = []
    for proof in proofs:
        game = GAMES[proof.game]
        deal = game.read(proof.start)
        states[-1:] = [(proof.game, deal)]
        for made in proof.moves:
            deal, _ = game.play(deal, msgspec.convert(made.move, game.move_type), fairness.shuffle)
            states.append((proof.game, deal))
        assert game.result(deal) == proof.result
    return states


def _on_the_wire(view: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(view))
