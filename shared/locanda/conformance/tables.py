"""A match at a table, from its opening to its proofs, compared with the rules of this package."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from locanda.conformance.comparing import Mismatch, expect, same, same_moves
from locanda.conformance.seats import SeatedPeople, seat_people
from locanda.conformance.server import TriedServer
from locanda.games.game import AnyGame
from locanda.games.registry import WIRE_TYPES
from locanda.games.rules import GAMES
from locanda.games.shuffling import shuffle
from locanda.messages import JsonObject
from locanda.verify import Published, examine

CLIENT_SEEDS = {1: "seven green bottles"}
"""By seat: what is given to the shuffle."""
MOST_MOVES = 3000


class Seen(NamedTuple):
    """The table as somebody saw it."""

    deal: int
    moves_before: int
    """How many moves of the deal had been made."""
    seat: int | None
    table: JsonObject


class WatchedMatch:
    """A match in which every view of everybody is kept, to be compared with what its proofs show."""

    def __init__(self, people: SeatedPeople) -> None:
        self._people = people
        self._rules = GAMES[people.game]
        self._seen: list[Seen] = []
        self._events: dict[int, list[JsonObject]] = {}
        self._moves = 0
        self.table: JsonObject = {}

    async def play(self) -> None:
        """Play to the end: of the legal moves, each time another one."""
        place = (1, 0)
        self.table = await self._look(*place)
        commitment = self.table["match"]["commitment"]
        while self.table["status"] == "playing":
            seat = self.table["deal"]["turn"]
            legal = self._seen_by(seat)["moves"]
            expect(legal, f"seat {seat} is on turn, and `moves` of its table is empty")
            answer = await self._people.play(seat, legal[self._moves * 7 % len(legal)])
            self._events.setdefault(place[0], []).extend(answer["events"])
            self._moves += 1
            expect(self._moves < MOST_MOVES, f"the match has no end after {MOST_MOVES} moves")
            deal = answer["table"]["match"]["deal"]
            place = (deal, place[1] + 1 if deal == place[0] else 0)
            self.table = await self._look(*place)
            same("match.commitment", self.table["match"]["commitment"], commitment)
        expect(self.table["match"]["result"], "the match is over, and `match.result` is null")

    async def _look(self, deal: int, moves_before: int) -> JsonObject:
        """Look at the table with the eyes of everybody; return what a spectator sees."""
        for seat in (*range(len(self._people.tokens)), None):
            table = await self._people.see(seat)
            same("table.you", table.get("you"), seat)
            self._seen.append(Seen(deal, moves_before, seat, table))
        return self._seen[-1].table

    def _seen_by(self, seat: int) -> JsonObject:
        """Return the table as a seat has last seen it."""
        return self._seen[seat - len(self._people.tokens) - 1].table

    async def compare(self) -> str:
        """Compare everything that was seen with the proofs of the deals."""
        commitment = self.table["match"]["commitment"]
        proofs = [await self._people.proof(deal) for deal in range(1, self.table["match"]["deal"] + 1)]
        for proof in proofs:
            report = examine(proof, Published(commitment, {seat: [seed] for seat, seed in CLIENT_SEEDS.items()}))
            expect(not report.errors, f"the proof of deal {proof['deal']}: {report.errors[:1]}")
            self._replay(proof)
        self._search_secrets(proofs)
        deals = "a deal" if len(proofs) == 1 else f"{len(proofs)} deals"
        return f"a match of {deals} and {self._moves} moves: {len(self._seen)} looks at the table, and the proofs"

    def _replay(self, proof: JsonObject) -> None:
        """Play a deal again by the rules, and compare what was seen of it."""
        game, number = self._rules, proof["deal"]
        states, happened = [game.from_wire(msgspec.convert(proof["start"], game.wire_type))], list[Any]()
        for made in proof["moves"]:
            following, events = game.play(states[-1], msgspec.convert(made["move"], game.move_type), shuffle)
            states.append(following)
            happened += _json(events)
        same(f"deal {number}: result", proof["result"], _json(game.result(states[-1])))
        types = {event["type"] for event in happened}
        made_known = [event for event in self._events[number] if event.get("type") in types]
        same(f"deal {number}: events", made_known, happened)
        for seen in self._seen:
            if seen.deal == number:
                expect(seen.moves_before < len(states), f"the proof of deal {number} lacks moves")
                self._compare_seen(game, seen, states[seen.moves_before])

    @staticmethod
    def _compare_seen(game: AnyGame, seen: Seen, state: Any) -> None:  # noqa: ANN401  (any game's)
        viewer = "a spectator" if seen.seat is None else f"seat {seen.seat}"
        where = f"deal {seen.deal} after {seen.moves_before} moves, to {viewer}: "
        same(f"{where}deal", seen.table["deal"], _json(game.view(state, seen.seat)), whole=True)
        legal = _json(game.moves(state)) if seen.seat is not None and state.turn == seen.seat else []
        same_moves(f"{where}moves", seen.table["moves"], legal)

    def _search_secrets(self, proofs: Sequence[JsonObject]) -> None:
        """Look for seeds and tokens in what was sent before the end of the match."""
        seeds = {proofs[0]["server_seed"], *(proof["seed"] for proof in proofs)}
        tokens = self._people.tokens
        for seen in self._seen:
            text = msgspec.json.encode(seen.table).decode()
            if seen.table["status"] == "playing" and any(seed in text for seed in seeds):
                raise Mismatch(f"deal {seen.deal}: a table shows a seed of its shuffle before the match is over")
            expect(not any(token in text for token in tokens), "a table shows the token of a seat")


async def play_a_match(server: TriedServer, game: str) -> str:
    """Play a short match of a game."""
    fewest = GAMES[game].suggested.start
    options = dict(WIRE_TYPES[game].PRESETS["quick"])
    async with seat_people(server, game, fewest, options, client_seeds=CLIENT_SEEDS) as people:
        await people.start()
        match = WatchedMatch(people)
        await match.play()
        return await match.compare()


def _json(value: object) -> Any:  # noqa: ANN401  (JSON)
    return msgspec.json.decode(msgspec.json.encode(value))
