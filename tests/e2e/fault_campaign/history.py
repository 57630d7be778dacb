"""The model of a table: every version of it that any viewer received, and the checks that they form one history."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from locanda.games.rules import GAMES
from locanda.messages import JsonObject, Proof
from services.engine.table import fairness
from tests.e2e.fault_campaign.requests import WriteRequest

SeatOrSpectator = int | None
"""A seat number, or None for a spectator."""

WITHOUT_A_MOVE = {
    "opened",
    "changed",
    "sat",
    "left",
    "replaced",
    "seeded",
    "started",
    "away",
    "returned",
    "deadline_moved",
}
"""Types of events that move no card."""


@dataclass
class History:
    """The table as each viewer received it, by version."""

    seen: dict[int, dict[SeatOrSpectator, JsonObject]] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The newest version that any viewer has received."""
        return max(self.seen, default=0)

    def record(self, viewer: SeatOrSpectator, table: JsonObject) -> None:
        """Record a view. A version must look the same to a viewer every time and on every replica."""
        views = self.seen.setdefault(table["version"], {})
        assert views.setdefault(viewer, table) == table, "a viewer received two forms of one version"

    def check_versions(self) -> None:
        """Check that versions have no gap and that all viewers received the same events."""
        assert sorted(self.seen) == list(range(1, self.last + 1))
        for views in self.seen.values():
            first = next(iter(views.values()))
            assert all(view["events"] == first["events"] for view in views.values())

    def check_writes(self, writes: Sequence[WriteRequest]) -> None:
        """Check that each confirmed write made one version, and that its response showed what its sender sees."""
        confirmed = [write for write in writes if write.confirmed]
        assert len({write.made for write in confirmed}) == len(confirmed), "two writes made the same version"
        for write in confirmed:
            assert write.made is not None
            assert write.confirmed is not None
            body = write.confirmed.json
            table = body.get("table", body)
            shown = self.seen[write.made].get(table["you"])
            assert shown in (None, table), "the response and the stream disagree"

    def check_moves(self, writes: Sequence[WriteRequest], proofs: Sequence[Proof]) -> None:
        """Check that the log of all deals holds the confirmed moves, those of computer players, and no other.

        Replayed by the rules, the log must give every view that any viewer received.
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


def _any(views: dict[SeatOrSpectator, JsonObject]) -> JsonObject:
    return next(iter(views.values()))


def _moved(table: JsonObject) -> bool:
    return not {event["type"] for event in table["events"]} & WITHOUT_A_MOVE


def _replayed(proofs: Sequence[Proof]) -> list[tuple[str, Any]]:
    """Return the game and the deal after each move of the match.

    The end of a deal counts as the start of the next one.
    """
    states: list[tuple[str, Any]] = []
    for proof in proofs:
        game = GAMES[proof.game]
        deal = game.from_wire(proof.start)
        states[-1:] = [(proof.game, deal)]
        for made in proof.moves:
            deal, _ = game.play(deal, msgspec.convert(made.move, game.move_type), fairness.shuffle)
            states.append((proof.game, deal))
        assert game.result(deal) == proof.result
    return states


def _on_the_wire(view: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(view))
