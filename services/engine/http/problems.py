"""Every problem that the API answers with: its code, status and title, in one registry (RFC 9457)."""

from dataclasses import dataclass

import msgspec
from aiohttp import web

from shared.messages import JsonObject, Problem

CONTENT_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem."""

    status: int
    title: str


REFUSALS = {
    "ace_first": "An Ace must be played first",
    "finish_ban": "A hand may not be emptied with this card",
    "incomplete": "The selection is not a whole move yet",
    "joker_as": "The move must say which card the joker stands for",
    "joker_opens": "A joker never opens a build",
    "joker_stays": "A joker may be discarded only from a hand that holds nothing else",
    "must_beat": "What is played does not beat what lies on top",
    "must_discard": "Who still holds cards ends the turn with a discard",
    "must_lead": "Who leads must play a card",
    "must_play": "Who can beat may not pass",
    "no_such_build": "There is no such build",
    "no_such_column": "There is no such column",
    "no_such_meld": "There is no such meld",
    "not_a_combination": "The cards are not a combination",
    "not_adjacent": "The cards do not follow one another",
    "not_descending": "The column takes only the same or the next lower rank",
    "not_in_hand": "The card is not in the hand",
    "not_on_top": "The card does not lie on top there",
    "nothing_to_draw": "There is no card to draw there",
    "repeated_figure": "A figure is there twice",
    "taken_card": "The card taken from the discards binds the player",
    "tax_count": "The tax is another number of cards",
    "too_many_builds": "No more builds may be opened now",
    "unbeatable": "The combination on top cannot be beaten",
    "wrong_kind": "The combination is of another kind than the one on top",
    "wrong_length": "The combination has a wrong number of cards",
    "wrong_phase": "The move belongs to another phase of the turn",
    "wrong_rank": "The build needs another rank",
}
"""The refusals of all games: why the rules forbid a move."""

KINDS: dict[str, Kind] = {
    # the request is not what the API takes
    "malformed": Kind(400, "A part of the request is not what it must be"),
    "bad_json": Kind(400, "The body is not well-formed JSON in UTF-8"),
    "bad_header": Kind(400, "A header is not what it must be"),
    "not_found": Kind(404, "There is nothing here"),
    "method_not_allowed": Kind(405, "The method is not one of this path"),
    "not_acceptable": Kind(406, "The answer comes in no form that the request accepts"),
    "too_large": Kind(413, "The body is too large"),
    "unsupported_media_type": Kind(415, "The body must be application/json"),
    # who asks
    "no_token": Kind(401, "The call needs a seat's token"),
    "wrong_token": Kind(401, "The token is none of this table's"),
    "not_host": Kind(403, "Only the host may do this"),
    "not_your_seat": Kind(403, "The token is another seat's"),
    # what is not there
    "no_such_game": Kind(404, "There is no such game"),
    "no_such_table": Kind(404, "There is no such table, or no longer"),
    "no_such_seat": Kind(404, "The table has no such seat"),
    "no_such_deal": Kind(404, "The table has had no such deal"),
    # the table is not in the state for it
    "already_computer": Kind(409, "A computer player holds this seat already"),
    "already_playing": Kind(409, "The match is under way already"),
    "deal_over": Kind(409, "The deal is over"),
    "match_not_over": Kind(409, "The match is not over yet"),
    "not_away": Kind(409, "Nobody holds this hand in the player's place"),
    "not_open": Kind(409, "The table is not open any more"),
    "not_playing": Kind(409, "No match is under way"),
    "not_your_turn": Kind(409, "It is another seat's turn"),
    "rules_changed": Kind(409, "The table was dealt by other rules than this release plays by"),
    "table_full": Kind(409, "Every seat is taken"),
    "too_few_players": Kind(409, "There are too few players to start"),
    "too_many_players": Kind(409, "There are more players than these options admit"),
    "stale": Kind(412, "The table has moved on since the version that the request names"),
    "key_reused": Kind(422, "The idempotency key was used for another request"),
    # the rules forbid the move
    **{code: Kind(422, title) for code, title in REFUSALS.items()},
    "illegal": Kind(422, "The rules forbid the move"),
    # not now
    "too_many_requests": Kind(429, "The client asks for more than its share"),
    "internal": Kind(500, "Something went wrong here"),
    "closing": Kind(503, "The house closes; another replica serves"),
    "store_down": Kind(503, "The store does not answer; nothing was done"),
    "busy": Kind(503, "Too many others write to the table at the same time; nothing was done"),
}


class ProblemError(Exception):
    """A request that ends in a problem."""

    def __init__(
        self, code: str, detail: str = "", *, field: str | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.field = field
        self.headers = headers or {}


def problem(
    code: str,
    detail: str = "",
    *,
    field: str | None = None,
    facts: JsonObject | None = None,
    version: int | None = None,
) -> Problem:
    """Return the problem of a code; a refusal that the registry lacks has its own code and a general title."""
    kind = KINDS.get(code, KINDS["illegal"])
    return Problem(f"/problems/{code}", kind.title, kind.status, code, detail, field, facts or None, version)


def response(told: Problem, headers: dict[str, str] | None = None) -> web.Response:
    """Return the answer that tells a problem."""
    return web.Response(
        body=msgspec.json.encode(told), status=told.status, content_type=CONTENT_TYPE, headers=headers or {}
    )
