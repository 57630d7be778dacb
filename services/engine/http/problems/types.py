"""The problem types of the API (RFC 9457): code, status, texts and an example of each type.

The English texts are gettext msgids; the Italian texts are in `shared/locanda/locale`. The types of refused moves come
from the games' declarations (`locanda.explanations.refusals_of`).
"""

from collections import ChainMap
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct

from locanda.explanations import RefusalCode, refusals_of
from locanda.games.base import N_
from locanda.games.installed import UnfitGameError
from locanda.games.registry import WIRE_TYPES, of_each_game
from locanda.messages import JsonObject, Language
from locanda.translations import translations_in


class ProblemTexts(NamedTuple):
    """The texts of a problem type in one language."""

    title: str
    """A few words without a full stop."""
    explanation: str
    """When the problem occurs."""
    remedy: str
    """Advice to the client's developer."""


class ProblemType(Struct, frozen=True):
    """A problem type. Its texts are English, and serve as gettext msgids."""

    code: str
    status: int
    title: str
    explanation: str
    remedy: str
    example: JsonObject = {}
    """Members of the example, besides type, title, status and code."""

    def texts(self, language: Language) -> ProblemTexts:
        """Return the texts in a language."""
        gettext = translations_in(language).gettext
        return ProblemTexts(gettext(self.title), gettext(self.explanation), gettext(self.remedy))


def _refused(refusal: RefusalCode) -> ProblemType:
    example: JsonObject = {"facts": refusal.facts} if refusal.facts else {}
    return ProblemType(refusal.code, 422, refusal.title, refusal.explanation, TELL_THE_PLAYER, example)


TELL_THE_PLAYER = N_("Explain it to the player with `facts`, and offer the legal moves that the table lists.")
LOOK_AGAIN = N_("Fetch the table again and offer the actions that are possible now.")

_OF_REQUESTS = (
    # --- malformed requests
    ProblemType(
        "malformed",
        400,
        N_("A part of the request is invalid"),
        N_(
            "A parameter or a field of the body has the wrong type, is out of bounds, missing, repeated or unknown. "
            "`field` names it, `detail` says what was expected."
        ),
        N_("Correct the request. Sending the same one again fails again."),
        {"detail": "Expected `str`, got `int`", "field": "name"},
    ),
    ProblemType(
        "bad_json",
        400,
        N_("The body is not well-formed JSON in UTF-8"),
        N_("The body is cut off, is not JSON, is in another encoding, or is nested too deeply."),
        N_("Write the body with a JSON library, in UTF-8."),
        {"detail": "Input data was truncated"},
    ),
    ProblemType(
        "bad_header",
        400,
        N_("A header is invalid"),
        N_("A header of this call has the wrong form or occurs more than once. `field` names it."),
        N_("Send the header once, in the form that `detail` describes."),
        {"detail": "a key is 16 to 128 visible ASCII characters", "field": "Idempotency-Key"},
    ),
    ProblemType(
        "not_found",
        404,
        N_("There is no such path"),
        N_("No call has this path."),
        N_("Compare the path with `/openapi.json`, including slashes at the end."),
    ),
    ProblemType(
        "method_not_allowed",
        405,
        N_("The path does not allow this method"),
        N_("The path exists, but not with this method."),
        N_("Use one of the methods that the `Allow` header lists."),
    ),
    ProblemType(
        "not_acceptable",
        406,
        N_("The call has no response type that the request accepts"),
        N_("The `Accept` header allows none of this call's media types."),
        N_("Ask for one of the types in `detail`, or leave out `Accept`."),
        {"detail": "the answer comes as text/event-stream or application/json", "field": "Accept"},
    ),
    ProblemType(
        "too_large",
        413,
        N_("The body is too large"),
        N_("The body is larger than any call of this API needs. The connection is closed."),
        N_("Send less: the limit is in `detail`."),
        {"detail": "a body holds at most 65536 bytes"},
    ),
    ProblemType(
        "too_slow",
        408,
        N_("The body took too long"),
        N_("The body did not arrive in time. The connection is closed."),
        N_("Send the whole request again, without a pause."),
        {"detail": "a body may take 20 seconds"},
    ),
    ProblemType(
        "unsupported_media_type",
        415,
        N_("The body must be application/json"),
        N_("The `Content-Type` is missing or is not JSON in UTF-8, or the body is compressed."),
        N_("Send `Content-Type: application/json` and an uncompressed body, without `Content-Encoding`."),
        {"detail": "send Content-Type: application/json", "field": "Content-Type"},
    ),
    ProblemType(
        "impossible",
        422,
        N_("The parts of the request contradict each other"),
        N_(
            "Each part of the request is valid, but the combination is impossible: for example a dealer beyond the "
            "seats, a move of another game, a deal with a card too many, or an unknown cursor. `field` names the "
            "part, `detail` the reason."
        ),
        N_("Correct the request. Sending the same one again fails again."),
        {"detail": "there are 3 seats, counted from 0", "field": "dealer"},
    ),
    ProblemType(
        "key_reused",
        422,
        N_("The idempotency key was used for another request"),
        N_(
            "A key belongs to one request for at least an hour. This one was used with another call, path or body. "
            "Nothing was done."
        ),
        N_("Draw a new key for each new request, and use it again only to repeat that request."),
    ),
    # --- credentials are missing or wrong, or the caller may not do this
    ProblemType(
        "no_token",
        401,
        N_("The call needs a seat's token"),
        N_("Only the player of a seat may do this, and the request has no token."),
        N_("Send `Authorization: Bearer` with the token that you got when you took the seat."),
    ),
    ProblemType(
        "wrong_token",
        401,
        N_("The token does not belong to this table"),
        N_("The token is not of this table, its player has left or was removed, or the header has no bearer token."),
        N_("Forget the token. You can still watch the table without one, or take a free seat."),
    ),
    ProblemType(
        "no_key",
        401,
        N_("Opening a table needs an API key here"),
        N_(
            "On this server only holders of an API key may open tables, and the request has no valid key. Playing at "
            "an existing table needs no key."
        ),
        N_("Ask the operator of the server for a key, and send it as `X-API-Key` when opening a table."),
    ),
    ProblemType(
        "no_admin_key",
        401,
        N_("The call needs the operator's key"),
        N_("Only the operator of the server may do this, and the request does not have their key."),
        N_("Send `Authorization: Bearer` with the server's `ENGINE_ADMIN_KEY`."),
    ),
    ProblemType(
        "banned",
        403,
        N_("The operator of this server has banned you"),
        N_("The operator has banned the request's address or network."),
        N_("Ask the operator of the server."),
    ),
    ProblemType(
        "name_blocked",
        403,
        N_("Nobody may take this name here"),
        N_("The operator of the server has blocked the name. Nothing was done."),
        N_("Ask the player to choose another name."),
    ),
    ProblemType(
        "not_host",
        403,
        N_("Only the host may do this"),
        N_("The token is valid, but it belongs to another seat: the host's is `facts.host`."),
        N_("Offer this to the host only. When the host leaves, another seat becomes host."),
        {"facts": {"host": 0}},
    ),
    ProblemType(
        "not_your_seat",
        403,
        N_("The token belongs to another seat"),
        N_("You can set a seed, return or leave only for your own seat. Only the host may remove others."),
        N_("Use the token's own seat: it is `you` in the table."),
    ),
    # --- something does not exist, or the state of a table does not admit the call
    ProblemType(
        "no_such_game",
        404,
        N_("There is no such game"),
        N_("The path names a game that this server does not have."),
        N_("Use a name from `GET /v1/games`; `detail` lists them."),
        {"detail": f"there are {', '.join(WIRE_TYPES)}"},
    ),
    ProblemType(
        "no_lesson",
        404,
        N_("The game has no lesson"),
        N_("This game has no lesson."),
        N_("Offer lessons only for games with `lesson` true in `GET /v1/games`."),
    ),
    ProblemType(
        "no_such_table",
        404,
        N_("There is no such table, or it has expired"),
        N_(
            "No table has this id. An open table is deleted some hours after its last change, other tables after some "
            "days."
        ),
        N_("Forget the table and its tokens, and open a new one."),
    ),
    ProblemType(
        "no_such_seat",
        404,
        N_("The table has no such seat"),
        N_("Seats count from 0. There is one for each person and computer player at the table."),
        N_("Fetch the table again: when somebody leaves an open table, later seats move up."),
        {"facts": {"seat": 5}},
    ),
    ProblemType(
        "no_such_deal",
        404,
        N_("The table has no such deal"),
        N_("Deals count from 1 in each match. This one was not played in this match."),
        N_("Use a number up to `match.deal`; `?match=` selects an earlier match of the table."),
    ),
    ProblemType(
        "no_such_subscription",
        404,
        N_("There is no such subscription"),
        N_("The seat whose token was sent has no subscription with this id at this table."),
        N_("List the seat's subscriptions."),
    ),
    ProblemType(
        "proof_lost",
        410,
        N_("The log of the deal is lost or damaged"),
        N_("The deal was played, but its stored moves are incomplete, so there is no proof."),
        N_("Do not ask again. The table continues, and the proofs of its other deals are not affected."),
    ),
    ProblemType(
        "already_computer",
        409,
        N_("A computer player already has this seat"),
        N_("When somebody leaves during a match, a computer player takes the seat. This one is already taken."),
        LOOK_AGAIN,
        {"facts": {"seat": 1}},
    ),
    ProblemType(
        "already_playing",
        409,
        N_("The match has already started"),
        N_("The match has started, perhaps just now. The call is possible only before the first deal."),
        LOOK_AGAIN,
    ),
    ProblemType(
        "still_playing",
        409,
        N_("The player is present and playing"),
        N_(
            "During a match, the host can remove only players who are away or, at a table without a time limit, have "
            "been on turn for a day."
        ),
        N_("Wait until their time is up, or leave the table."),
        {"facts": {"seat": 1}},
    ),
    ProblemType(
        "hand_given_up",
        409,
        N_("The computer player keeps this hand until the match ends"),
        N_("The player has missed three turns in this match."),
        N_("Watch the match, and play the next one."),
        {"facts": {"seat": 1}},
    ),
    ProblemType(
        "renamed_lately",
        409,
        N_("The seat was renamed a moment ago"),
        N_("A seat can be renamed once in 30 seconds."),
        N_("Wait a moment, then send the request again."),
        {"facts": {"seat": 1}},
    ),
    ProblemType(
        "table_locked",
        409,
        N_("The host has locked the table"),
        N_("The host does not let anyone else sit down."),
        N_("Ask the host to open the table to others, or watch."),
    ),
    ProblemType(
        "seed_used",
        409,
        N_("The client seed was used in the match before"),
        N_("Anyone who has seen the proof of that match knows the seed, so it would not protect the next shuffle."),
        N_("Draw a new seed for each match."),
    ),
    ProblemType(
        "deal_over",
        409,
        N_("The deal is over"),
        N_("The last card of this deal has been played: nobody is on turn."),
        N_("At a table, wait for the next deal or offer a rematch. In stateless calls, deal again."),
    ),
    ProblemType(
        "hints_off",
        409,
        N_("There are no hints at this table"),
        N_("The host has not allowed hints: `hints` is false."),
        N_("Ask the host to allow hints before the next match."),
    ),
    ProblemType(
        "notices_off",
        409,
        N_("This server does not send such notices"),
        N_("The operator has disabled webhooks or push notifications."),
        N_("Follow the table's events instead."),
    ),
    ProblemType(
        "too_many_subscriptions",
        409,
        N_("There are too many subscriptions"),
        N_("The seat or the table already has `facts.most` subscriptions, the limit."),
        N_("Remove a subscription that is no longer needed."),
        {"facts": {"most": 4}},
    ),
    ProblemType(
        "match_not_over",
        409,
        N_("The match is not over yet"),
        N_(
            "The proof of a deal reveals the seed of all deals in its match. Proofs and reviews are available when "
            "the match is over."
        ),
        N_("Ask again once the match has a `match.result`."),
        {"facts": {"match": 1}},
    ),
    ProblemType(
        "not_away",
        409,
        N_("No computer player has replaced this player"),
        N_("The player still has the hand, so there is nothing to take back."),
        LOOK_AGAIN,
        {"facts": {"seat": 1}},
    ),
    ProblemType(
        "not_computer",
        409,
        N_("No computer player sits here"),
        N_("The host can set a level and a name only for computer players. A person has this seat."),
        N_("Choose a seat whose `kind` is `computer`."),
        {"facts": {"seat": 0}},
    ),
    ProblemType(
        "name_taken",
        409,
        N_("Someone at the table has a name that looks the same"),
        N_(
            "Capitals, similar letters of other scripts and invisible characters do not make a name different. "
            "`facts.seat` is the seat with that name."
        ),
        N_("Ask the player for another name."),
        {"facts": {"seat": 0}},
    ),
    ProblemType(
        "not_open",
        409,
        N_("The table is no longer open"),
        N_("Seats and settings change only before the match starts. `facts.status` is the table's status."),
        N_("Watch this table, or open another one."),
        {"facts": {"status": "playing"}},
    ),
    ProblemType(
        "not_playing",
        409,
        N_("No match is under way"),
        N_("The match has not started yet or is over: see `facts.status`."),
        N_("Wait for the host to start the match, or the rematch."),
        {"facts": {"status": "open"}},
    ),
    ProblemType(
        "not_your_turn",
        409,
        N_("It is another seat's turn"),
        N_("`facts.turn` is the seat on turn."),
        N_("Follow the table's events, and move when `deal.turn` is your seat."),
        {"facts": {"turn": 1}},
    ),
    ProblemType(
        "rules_changed",
        409,
        N_("The game's rules have changed since the deal"),
        N_("This release has changed the game's rules, and cannot continue a deal that began under the old ones."),
        N_("Open a new table."),
        {"facts": {"rules": 1, "now": 2}},
    ),
    ProblemType(
        "table_full",
        409,
        N_("Every seat is taken"),
        N_("With these options at most `facts.most` can play, and all those seats are taken."),
        N_("Watch the table, or open another one."),
        {"facts": {"most": 10}},
    ),
    ProblemType(
        "too_few_players",
        409,
        N_("There are too few players to start"),
        N_("The game needs at least `facts.least` players; there are `facts.seats`."),
        N_("Wait for somebody to sit down, or seat computer players."),
        {"facts": {"seats": 1, "least": 2}},
    ),
    ProblemType(
        "too_many_players",
        409,
        N_("There are more players than these options allow"),
        N_("With these options at most `facts.most` can play; there are `facts.seats` players."),
        N_("Choose other options, or have somebody leave first."),
        {"facts": {"seats": 3, "most": 2}},
    ),
    ProblemType(
        "stale",
        412,
        N_("The table has changed since the version in the request"),
        N_(
            "`If-Match` has an older version than the table. The current one is in `version` and `ETag`. Nothing was "
            "done."
        ),
        N_("Fetch the table again, and decide again."),
        {"version": 18},
    ),
)

_OF_THE_SERVER = (
    # --- the client exceeds a limit, or the server cannot answer
    ProblemType(
        "too_many_requests",
        429,
        N_("The client exceeds a limit"),
        N_(
            "A client, identified by its address, has exceeded a limit: on tables opened or listed, seats taken, "
            "store memory, streams and long polls, questions to computer players, changes, remarks, or processor "
            "time. `RateLimit-Policy` names the limit, `RateLimit` the time until it resets."
        ),
        N_(
            "Wait the seconds in `Retry-After`. Follow a table's events instead of polling it, and share one stream "
            "among people who watch the same table."
        ),
        {"detail": "a client may open 300 tables a minute"},
    ),
    ProblemType(
        "internal",
        500,
        N_("Internal server error"),
        N_("The server has failed. It has logged the error with the request's id, which is in `X-Request-ID`."),
        N_(
            "Try again with the same `Idempotency-Key`. If it fails again, send the request's id to the server's "
            "operator."
        ),
    ),
    ProblemType(
        "damaged_table",
        500,
        N_("The stored table is damaged"),
        N_(
            "The stored data of this table or idempotency key is not in any format of this server. Nothing was done. "
            "Other tables are not affected."
        ),
        N_("Open a new table, and inform the operator of the server."),
    ),
    ProblemType(
        "no_such_entry",
        404,
        N_("There is no entry with this name"),
        N_("The list in the path (engines, keys, bans, names or players) has no entry with this name."),
        N_("List the entries again."),
    ),
    ProblemType(
        "entry_taken",
        409,
        N_("There is already an entry with this name"),
        N_("An API key, ban, blocked name or own player already has this name. Nothing was done."),
        N_("Remove the old entry first, or choose another name."),
    ),
    ProblemType(
        "too_many_entries",
        409,
        N_("There are too many entries"),
        N_("Each engine keeps the whole list in memory, so it has at most `facts.most` entries."),
        N_("Remove some, or ban a network instead of its addresses."),
        {"facts": {"most": 1000}},
    ),
    ProblemType(
        "already_over",
        409,
        N_("The table's match is over"),
        N_("The match is over, and the table will expire. Nothing was done."),
        N_("Remove the table to delete it now."),
    ),
    ProblemType(
        "last_engine",
        409,
        N_("No other engine would be left"),
        N_("There is no other engine that takes new connections. Nothing was done."),
        N_("Start another engine first."),
    ),
    ProblemType(
        "shared_address",
        409,
        N_("The engine shares its address with others"),
        N_(
            "The engine is one of several processes of a service (`ENGINE_WORKERS`), which cannot be drained "
            "separately."
        ),
        N_("Stop that service: it first finishes its requests."),
    ),
    ProblemType(
        "newer_release",
        503,
        N_("A newer release of the server has written this table"),
        N_(
            "The server is being upgraded. This replica is older than the one that last wrote the table, and cannot "
            "read all of it. Nothing was done, and nothing is lost."
        ),
        N_(
            "Send the request again after `Retry-After` seconds, writes with the same `Idempotency-Key`. A newer "
            "replica will serve it."
        ),
    ),
    ProblemType(
        "closing",
        503,
        N_("The server is shutting down; another replica takes over"),
        N_("This process is ending. It finishes its current requests and accepts no others."),
        N_(
            "Send the request again after `Retry-After` seconds. Games continue on another replica, and nothing is "
            "lost."
        ),
    ),
    ProblemType(
        "store_down",
        503,
        N_("The store does not answer"),
        N_(
            "The store cannot be reached or accepts no writes. Streams stay open, and deadlines are postponed by the "
            "outage. Usually nothing was done, but a write may have succeeded if only its confirmation was lost."
        ),
        N_(
            "Send the request again after `Retry-After` seconds, writes with the same `Idempotency-Key`, so that they "
            "happen once."
        ),
    ),
    ProblemType(
        "no_thought",
        503,
        N_("No computer player has time to think"),
        N_("No process was free in time, or the search did not end in time."),
        N_("Send the request again after `Retry-After` seconds, with a smaller `budget` if it has one."),
    ),
    ProblemType(
        "busy",
        503,
        N_("Too many others write to the table at the same time; nothing was done"),
        N_("Others changed the table repeatedly while this request was processed."),
        N_("Send the request again after `Retry-After` seconds, with the same `Idempotency-Key`."),
    ),
)

_OWN = {type_.code for type_ in (*_OF_REQUESTS, *_OF_THE_SERVER)}


def _declared(game: str) -> dict[str, RefusalCode]:
    """Return the refusals of a game. Raises `UnfitGameError` for a refusal with the code of another problem."""
    declared = refusals_of(WIRE_TYPES[game])
    if taken := _OWN.intersection(declared):
        raise UnfitGameError(f"its refusals have codes of other problems: {', '.join(taken)}")
    return declared


_BY_GAME = of_each_game(_declared)

REFUSALS_BY_GAME = {name: tuple(declared) for name, declared in _BY_GAME.items()}
"""Codes of the refusals that each game can answer with."""

REFUSAL_TYPES = {
    code: _refused(refusal) for code, refusal in sorted(ChainMap(*_BY_GAME.values()).items(), key=itemgetter(0))
}
"""Problem types of refused moves, of all games, by code in alphabetical order."""

PROBLEM_TYPES = {type_.code: type_ for type_ in (*_OF_REQUESTS, *REFUSAL_TYPES.values(), *_OF_THE_SERVER)}
"""All problem types by code, in the order of the documents."""
