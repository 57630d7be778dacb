"""The problem types that the API answers with (RFC 9457): code, status, texts and an example of each.

The texts are msgids of gettext; their Italian is in `shared/locanda/locale`. The types of refused moves come from the
games' declarations (`locanda.explanations.refusals_of`).
"""

from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from locanda.explanations import RefusalCode, refusals_of
from locanda.games.base import N_
from locanda.games.registry import WIRE_TYPES
from locanda.messages import JsonObject, Language
from locanda.translations import translations_in


class ProblemTexts(NamedTuple):
    """The texts of a problem type in one language."""

    title: str
    """A few words without a full stop."""
    explanation: str
    """When the problem comes."""
    remedy: str
    """The advice to clients."""


class ProblemType(Struct, frozen=True):
    """A problem type. Its texts are msgids, which are the English texts."""

    code: str
    status: int
    title: str
    explanation: str
    remedy: str
    example: JsonObject = {}
    """Members of an example besides type, title, status and code."""

    def texts(self, language: Language) -> ProblemTexts:
        """Return the texts in a language."""
        gettext = translations_in(language).gettext
        return ProblemTexts(gettext(self.title), gettext(self.explanation), gettext(self.remedy))


_declared: dict[str, dict[str, RefusalCode]] = {name: refusals_of(types) for name, types in WIRE_TYPES.items()}

REFUSALS_BY_GAME = {name: tuple(declared) for name, declared in _declared.items()}
"""The codes of the refusals that each game can answer with."""


def _refused(refusal: RefusalCode) -> ProblemType:
    example: JsonObject = {"facts": refusal.facts} if refusal.facts else {}
    return ProblemType(refusal.code, 422, refusal.title, refusal.explanation, TELL_THE_PLAYER, example)


TELL_THE_PLAYER = N_(
    "Tell the player why, with the help of `facts`, and offer the moves that the table lists as legal."
)
LOOK_AGAIN = N_("Fetch the table again and offer what is possible now.")

REFUSAL_TYPES = {
    code: _refused(refusal) for code, refusal in sorted(chain(*[refusals.items() for refusals in _declared.values()]))
}
"""The problem types of refused moves, of all games, by their codes in alphabetical order."""

_TYPES = (
    # --- malformed requests
    ProblemType(
        "malformed",
        400,
        N_("A part of the request is invalid"),
        N_(
            "A parameter or a field of the body has a wrong type, is out of bounds, is missing, is there twice, or is "
            "unknown. `field` names it, `detail` what was expected."
        ),
        N_("Correct the request. The same one will be refused again."),
        {"detail": "Expected `str`, got `int`", "field": "name"},
    ),
    ProblemType(
        "bad_json",
        400,
        N_("The body is not well-formed JSON in UTF-8"),
        N_("The body is cut off, is not JSON, is in another encoding, or is nested too deeply."),
        N_("Let a JSON library write the body, in UTF-8."),
        {"detail": "Input data was truncated"},
    ),
    ProblemType(
        "bad_header",
        400,
        N_("A header is invalid"),
        N_(
            "A header that this call reads does not have the form that it must have, or is there more than once. "
            "`field` names it."
        ),
        N_("Send the header once, in the form that `detail` describes."),
        {"detail": "a key is 16 to 128 visible ASCII characters", "field": "Idempotency-Key"},
    ),
    ProblemType(
        "not_found",
        404,
        N_("There is no such path"),
        N_("No call has this path."),
        N_("Compare the path with the document at `/openapi.json`, slashes at the end included."),
    ),
    ProblemType(
        "method_not_allowed",
        405,
        N_("The path does not admit this method"),
        N_("The path exists, but no call with it has this method."),
        N_("Use one of the methods that the `Allow` header lists."),
    ),
    ProblemType(
        "not_acceptable",
        406,
        N_("The call does not answer in any form that the request accepts"),
        N_("The `Accept` header admits none of the media types in which this call answers."),
        N_("Ask for one of the types that `detail` lists, or leave `Accept` out."),
        {"detail": "the answer comes as text/event-stream or application/json", "field": "Accept"},
    ),
    ProblemType(
        "too_large",
        413,
        N_("The body is too large"),
        N_("The body holds more bytes than any call of this API needs. The connection is closed."),
        N_("Send less: the limit is in `detail`."),
        {"detail": "a body holds at most 65536 bytes"},
    ),
    ProblemType(
        "too_slow",
        408,
        N_("The body took too long"),
        N_("The body did not come within the time that the engine gives it. The connection is closed."),
        N_("Send the request again, all of it at once."),
        {"detail": "a body may take 20 seconds"},
    ),
    ProblemType(
        "unsupported_media_type",
        415,
        N_("The body must be application/json"),
        N_("The `Content-Type` is missing, or names something else than JSON in UTF-8; or the body is compressed."),
        N_("Send `Content-Type: application/json`, and the body as it is, without `Content-Encoding`."),
        {"detail": "send Content-Type: application/json", "field": "Content-Type"},
    ),
    ProblemType(
        "impossible",
        422,
        N_("The parts of the request do not go together"),
        N_(
            "Every part of the request has the form that it must have, but together they are impossible: a dealer "
            "beyond the seats, options or a move of another game than the table's, a deal with a card too many, a "
            "cursor that no page gave. `field` names the part, `detail` the reason."
        ),
        N_("Correct the request. The same one will be refused again."),
        {"detail": "there are 3 seats, counted from 0", "field": "dealer"},
    ),
    ProblemType(
        "key_reused",
        422,
        N_("The idempotency key was used for another request"),
        N_(
            "A key belongs to one request, for an hour or more. This one came before with another call, path or body; "
            "nothing was done now."
        ),
        N_("Draw a fresh key for each new request, and keep it for the repetitions of that request alone."),
    ),
    # --- credentials are missing or wrong, or the caller may not do this
    ProblemType(
        "no_token",
        401,
        N_("The call needs a seat's token"),
        N_("Only the player of a seat may do this, and the request carries no token."),
        N_("Send `Authorization: Bearer` with the token that came when the seat was taken."),
    ),
    ProblemType(
        "wrong_token",
        401,
        N_("The token does not belong to this table"),
        N_(
            "The token has never belonged to this table, or its player has left the seat since or was removed from it; "
            "or the header holds no bearer token."
        ),
        N_("Forget the token. Without one the table can still be watched; a free seat can be taken again."),
    ),
    ProblemType(
        "no_key",
        401,
        N_("Opening a table needs an API key here"),
        N_(
            "The operator of this server admits only holders of one of its API keys to the opening of tables, and the "
            "request carries none of them. Playing at a table that is open needs no key."
        ),
        N_("Ask the operator of the server for a key, and send it as `X-API-Key` when opening a table."),
    ),
    ProblemType(
        "no_admin_key",
        401,
        N_("The call needs the operator's key"),
        N_("Only the operator of the server may ask for this, and the request does not carry their key."),
        N_("Send `Authorization: Bearer` with the server's `ENGINE_ADMIN_KEY`."),
    ),
    ProblemType(
        "banned",
        403,
        N_("The operator of this server has banned you"),
        N_("The operator has banned the address, or the network, that the request comes from."),
        N_("Ask the operator of the server."),
    ),
    ProblemType(
        "name_blocked",
        403,
        N_("Nobody may take this name here"),
        N_("The operator of the server has blocked the name. Nothing was done."),
        N_("Let the player choose another name."),
    ),
    ProblemType(
        "not_host",
        403,
        N_("Only the host may do this"),
        N_("The token is valid, but it belongs to another seat: the host's is `facts.host`."),
        N_("Offer this to the host alone. When the host leaves, another seat becomes host."),
        {"facts": {"host": 0}},
    ),
    ProblemType(
        "not_your_seat",
        403,
        N_("The token belongs to another seat"),
        N_(
            "A seat acts for itself: nobody gives a seed, comes back or leaves in another's place. Only the host may "
            "remove others."
        ),
        N_("Name the seat that the token belongs to: it is `you` in the table."),
    ),
    # --- something does not exist, or the state of a table does not admit the call
    ProblemType(
        "no_such_game",
        404,
        N_("There is no such game"),
        N_("The path names a game that this server does not have."),
        N_("Take the name from `GET /v1/games`; `detail` lists them."),
        {"detail": f"there are {', '.join(WIRE_TYPES)}"},
    ),
    ProblemType(
        "no_lesson",
        404,
        N_("The game has no lesson"),
        N_("A game may come without a lesson."),
        N_("Offer the lessons of the games whose `lesson` in `GET /v1/games` is true."),
    ),
    ProblemType(
        "no_such_table",
        404,
        N_("There is no such table, or no longer"),
        N_(
            "No table has this id. An open table is deleted some hours after its last change, one where a match was "
            "played after some days."
        ),
        N_("Forget the table and its tokens, and open another one."),
    ),
    ProblemType(
        "no_such_seat",
        404,
        N_("The table has no such seat"),
        N_("Seats count from 0, and there are as many as people and computer players that sit at the table."),
        N_("Fetch the table again: when somebody leaves an open table, those behind move up."),
        {"facts": {"seat": 5}},
    ),
    ProblemType(
        "no_such_deal",
        404,
        N_("The table has no such deal"),
        N_("Deals count from 1 in each match, and this one was not played, or not in this match."),
        N_("Take the number from `match.deal`; `?match=` selects an earlier match of the table."),
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
        N_("The deal was played, but what the store keeps of its moves is not whole: nothing can be proved from it."),
        N_("Do not ask again. The table itself goes on, and the proofs of its other deals are not affected."),
    ),
    ProblemType(
        "already_computer",
        409,
        N_("A computer player holds this seat already"),
        N_("During a match a computer player takes a seat that is left. It has already taken this one."),
        LOOK_AGAIN,
        {"facts": {"seat": 1}},
    ),
    ProblemType(
        "already_playing",
        409,
        N_("The match is under way already"),
        N_("The match has started, perhaps just now; the call is possible only before the first deal."),
        LOOK_AGAIN,
    ),
    ProblemType(
        "still_playing",
        409,
        N_("The player is there and plays"),
        N_(
            "During a match only somebody who is away is removed, or, at a table without a limit of time, who has been "
            "on turn for a day."
        ),
        N_("Wait until their time is up, or leave the table."),
        {"facts": {"seat": 1}},
    ),
    ProblemType(
        "hand_given_up",
        409,
        N_("The computer player keeps this hand until the match ends"),
        N_("Three turns of the player have ended by time-out in this match."),
        N_("Watch the match, and stay for the next one."),
        {"facts": {"seat": 1}},
    ),
    ProblemType(
        "renamed_lately",
        409,
        N_("The seat has got another name a moment ago"),
        N_("A seat gets another name once in 30 seconds."),
        N_("Wait a moment, then send the request again."),
        {"facts": {"seat": 1}},
    ),
    ProblemType(
        "table_locked",
        409,
        N_("The host has locked the table"),
        N_("The host of the table lets nobody else sit down."),
        N_("Ask the host to open the table to others, or watch."),
    ),
    ProblemType(
        "seed_used",
        409,
        N_("The client seed was used in the match before"),
        N_("Whoever has seen the proof of that match knows it: it would be no share in the coming shuffle."),
        N_("Draw a new one for each match."),
    ),
    ProblemType(
        "deal_over",
        409,
        N_("The deal is over"),
        N_("The last card of this deal has been played: nobody is on turn."),
        N_("At a table, wait for the next deal or offer a rematch. In the stateless calls, deal again."),
    ),
    ProblemType(
        "hints_off",
        409,
        N_("There are no hints at this table"),
        N_("The host of a table says whether seats may ask for hints: `hints` is false."),
        N_("Ask the host to allow hints before the next match."),
    ),
    ProblemType(
        "notices_off",
        409,
        N_("This server sends no such notices"),
        N_("Its operator lets nobody have notices sent to servers, or pushed to browsers."),
        N_("Follow the table's events instead."),
    ),
    ProblemType(
        "too_many_subscriptions",
        409,
        N_("There are too many subscriptions"),
        N_("A seat, and a table, may have so many subscriptions: the limit is in `facts.most`."),
        N_("End one that is no longer needed."),
        {"facts": {"most": 4}},
    ),
    ProblemType(
        "match_not_over",
        409,
        N_("The match is not over yet"),
        N_(
            "The proof of a deal shows the seed from which all deals of its match come; it is published when the match "
            "is over, as a review of the moves is."
        ),
        N_("Ask again when `match.result` is there."),
        {"facts": {"match": 1}},
    ),
    ProblemType(
        "not_away",
        409,
        N_("Nobody plays this hand in the player's place"),
        N_("The seat plays for itself already: there is no hand to take back."),
        LOOK_AGAIN,
        {"facts": {"seat": 1}},
    ),
    ProblemType(
        "not_computer",
        409,
        N_("No computer player sits here"),
        N_("Only a computer player's level can be set, and its name by the host. A person holds this seat."),
        N_("Look at the table: the host may change the seats whose `kind` is `computer`."),
        {"facts": {"seat": 0}},
    ),
    ProblemType(
        "name_taken",
        409,
        N_("Somebody at the table has a name that looks the same"),
        N_(
            "Nobody could tell the two apart: other capitals, letters of other scripts that look alike, and what "
            "cannot be seen are not enough. `facts.seat` is the seat with that name."
        ),
        N_("Ask the player for another name."),
        {"facts": {"seat": 0}},
    ),
    ProblemType(
        "not_open",
        409,
        N_("The table is not open any more"),
        N_("Seats and settings change only before the match starts. `facts.status` is the table's status."),
        N_("Watch this table, or open another one."),
        {"facts": {"status": "playing"}},
    ),
    ProblemType(
        "not_playing",
        409,
        N_("No match is under way"),
        N_("The match has not started yet, or is over already: see `facts.status`."),
        N_("Wait for the host to start the match, or the rematch."),
        {"facts": {"status": "open"}},
    ),
    ProblemType(
        "not_your_turn",
        409,
        N_("It is another seat's turn"),
        N_("`facts.turn` is the seat that everybody waits for."),
        N_("Follow the table's events, and move when `deal.turn` is one's own seat."),
        {"facts": {"turn": 1}},
    ),
    ProblemType(
        "rules_changed",
        409,
        N_("The cards were dealt under rules that have changed since"),
        N_("A new release has changed this game's rules, and does not continue a deal that began under the old ones."),
        N_("Open a new table."),
        {"facts": {"rules": 1, "now": 2}},
    ),
    ProblemType(
        "table_full",
        409,
        N_("Every seat is taken"),
        N_("With these options no more than `facts.most` may play, and as many sit there."),
        N_("Watch the table, or open another one."),
        {"facts": {"most": 10}},
    ),
    ProblemType(
        "too_few_players",
        409,
        N_("There are too few players to start"),
        N_("The game needs `facts.least` seats taken, and only `facts.seats` are."),
        N_("Wait for somebody to sit down, or seat computer players."),
        {"facts": {"seats": 1, "least": 2}},
    ),
    ProblemType(
        "too_many_players",
        409,
        N_("There are more players than these options admit"),
        N_("With the options asked for, no more than `facts.most` may play, and `facts.seats` sit there already."),
        N_("Choose other options, or let somebody leave first."),
        {"facts": {"seats": 3, "most": 2}},
    ),
    ProblemType(
        "stale",
        412,
        N_("The table has changed since the version that the request names"),
        N_(
            "`If-Match` names an older version than the table's, which is in `version` and in `ETag`. Nothing was done."
        ),
        N_("Fetch the table again, and decide anew on what is there now."),
        {"version": 18},
    ),
    # --- the rules forbid the move
    *REFUSAL_TYPES.values(),
    # --- the client exceeds a limit, or the server cannot answer
    ProblemType(
        "too_many_requests",
        429,
        N_("The client exceeds a limit"),
        N_(
            "One client, known by its address, has opened too many tables, taken too many seats, has too many tables "
            "in the list, has opened tables that take too much of the store, holds too many streams or long polls, "
            "asks computer players too many things at a time, changes a table too often, says too much at one, or "
            "takes more of the server's processor time than it may. `RateLimit-Policy` names the limit, `RateLimit` "
            "the time when it ends."
        ),
        N_(
            "Wait for the seconds in `Retry-After`. Follow a table's events instead of asking again and again, and "
            "share one stream among those who watch the same table."
        ),
        {"detail": "a client may open 300 tables a minute"},
    ),
    ProblemType(
        "internal",
        500,
        N_("Internal server error"),
        N_(
            "The error is the server's. It has been logged with the request's id, which the response carries as "
            "`X-Request-ID`."
        ),
        N_(
            "Try again with the same `Idempotency-Key`. If the error comes again, send the request's id to the "
            "operator of the server."
        ),
    ),
    ProblemType(
        "damaged_table",
        500,
        N_("What is stored of the table is damaged"),
        N_(
            "The store holds something else for this table, or for the idempotency key, than any release of the server "
            "has written. Nothing was done. Other tables are not affected."
        ),
        N_("Open a new table, and tell the operator of the server."),
    ),
    ProblemType(
        "no_such_entry",
        404,
        N_("There is no entry of this name"),
        N_("No engine that serves, no API key, ban, blocked name or own player, as the path asks for, is called so."),
        N_("List the entries again."),
    ),
    ProblemType(
        "entry_taken",
        409,
        N_("There is an entry of this name already"),
        N_("An API key, a ban, a blocked name or an own player is called so already. Nothing was done."),
        N_("Remove the old entry first, or choose another name."),
    ),
    ProblemType(
        "too_many_entries",
        409,
        N_("There are too many entries"),
        N_("Every engine holds all entries of a list: there may be `facts.most` of them."),
        N_("Remove some, or ban a network in the place of its addresses."),
        {"facts": {"most": 1000}},
    ),
    ProblemType(
        "already_over",
        409,
        N_("The table's match is over"),
        N_("Nobody plays at the table any more, and it expires by itself. Nothing was done."),
        N_("Remove the table, if it is to go at once."),
    ),
    ProblemType(
        "last_engine",
        409,
        N_("No other engine would serve"),
        N_("All other engines take no new connections either, or there are none. Nothing was done."),
        N_("Start another engine first."),
    ),
    ProblemType(
        "shared_address",
        409,
        N_("The engine shares its address with others"),
        N_("It is one of several processes of one service (`ENGINE_WORKERS`), of which none can be left out alone."),
        N_("Stop that service: it first answers what it has begun."),
    ),
    ProblemType(
        "newer_release",
        503,
        N_("A newer release of the server has written this table"),
        N_(
            "The server is being upgraded. The replica that answers is older than the one that wrote the table last, "
            "and cannot read all of it, so it leaves the table alone. Nothing was done, and nothing is lost."
        ),
        N_(
            "Send the request again after `Retry-After` seconds, a write with the same `Idempotency-Key`: a replica of "
            "the newer release serves it."
        ),
    ),
    ProblemType(
        "closing",
        503,
        N_("The server is shutting down; another replica serves"),
        N_("This process is ending: it finishes the requests in progress and accepts no others."),
        N_("Send the request again after `Retry-After` seconds; games go on elsewhere, nothing is lost."),
    ),
    ProblemType(
        "store_down",
        503,
        N_("The store does not answer"),
        N_(
            "The store of the tables cannot be reached, or accepts no writes. Streams stay open, and deadlines are "
            "postponed by the outage. In most cases nothing was done; a write whose confirmation was lost may have "
            "been done."
        ),
        N_(
            "Send the request again after `Retry-After` seconds, a write with the same `Idempotency-Key`: it acts once."
        ),
    ),
    ProblemType(
        "no_thought",
        503,
        N_("No computer player has time to think"),
        N_("No process was free for the question in time, or the thought did not come to an end in time."),
        N_("Send the request again after `Retry-After` seconds, with a smaller `budget` if it has one."),
    ),
    ProblemType(
        "busy",
        503,
        N_("Too many others write to the table at the same time; nothing was done"),
        N_("Others changed the table again and again while this request was being decided."),
        N_("Send the request again after `Retry-After` seconds, with the same `Idempotency-Key`."),
    ),
)

PROBLEM_TYPES = {type_.code: type_ for type_ in _TYPES}
"""All problem types by their codes, in the order in which the documents list them."""
