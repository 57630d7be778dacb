"""The calls of the API, each one request.

`make openapi` writes this from the calls' declarations (`scripts/client_calls.py`).
"""

from datetime import datetime
from typing import Literal

from locanda import messages
from locanda.client.requests import LONGEST_THOUGHT, Requests, bearer, conditions, path_of, spoken
from locanda.games.registry import AnyDeal, AnyView
from locanda.messages import AnyGameName, Language


class EngineCalls(Requests):
    """The calls of `EngineClient` that are one request each."""

    async def games(self) -> list[messages.GameInfo]:
        """List the games."""
        return (await self._ask("GET", path_of("games"), messages.Catalogue, {})).games

    async def lesson(self, game: AnyGameName, *, language: Language | None = None) -> messages.Lesson:
        """Get a game's lesson.

        A lesson is a prepared deal with a sentence for each idea. A client shows `start` like a table, with the `text`
        of the first step. When the learner has made the step's `move`, it shows the moments of `then` one by one, and
        continues with the next step until `end`. For another move, it shows `allowed`, or why `POST
        /v1/games/{game}/check` refuses it in the moment's `deal`. Nothing is stored, and nobody has a seat.
        """
        return await self._ask("GET", path_of("games", game, "lesson"), messages.Lesson, spoken(language))

    async def remarks(self, *, language: Language | None = None) -> messages.RemarkList:
        """List the remarks that people can make at a table."""
        return await self._ask("GET", path_of("remarks"), messages.RemarkList, spoken(language))

    async def deal(self, game: AnyGameName, request: messages.DealRequest) -> AnyDeal:
        """Deal the cards.

        Nothing is stored. The same options, seats, dealer and seed always give the same deal.
        """
        return (await self._ask("POST", path_of("games", game, "deals"), messages.DealBody, {}, body=request)).deal

    async def moves_of(self, game: AnyGameName, deal: AnyDeal) -> messages.LegalMoves:
        """List the legal moves in a deal.

        Each distinct choice is listed once, in a fixed order. If several moves are equal, one is listed, as the game's
        `Move` says; the others are legal too.
        """
        return await self._ask(
            "POST",
            path_of("games", game, "moves"),
            messages.LegalMoves,
            {},
            body=messages.DealBody(deal),
            query=self._words,
        )

    async def view_of(self, game: AnyGameName, deal: AnyDeal, seat: int | None) -> AnyView:
        """Get the view of a deal for a seat or a spectator."""
        return (
            await self._ask(
                "POST", path_of("games", game, "view"), messages.ViewAnswer, {}, body=messages.ViewRequest(deal, seat)
            )
        ).view

    async def suggest(
        self, game: AnyGameName, request: messages.SuggestRequest, *, language: Language | None = None
    ) -> messages.Suggestion:
        """Get a computer player's move for a view, with its reason.

        The request has a view, never a deal; the seat of the view must be on turn. The player is better with `history`,
        the events since the cards were dealt. A budget applies to `hard` only: `iterations`, or `ms` of processor time;
        by default it is the engine's own. With a `seed` and `iterations` the answer is always the same, unless the
        search had to stop after two or three seconds.
        """
        return await self._ask(
            "POST",
            path_of("games", game, "suggest"),
            messages.Suggestion,
            spoken(language),
            body=request,
            query=self._words,
            wait=LONGEST_THOUGHT,
        )

    async def playouts(self, game: AnyGameName, request: messages.PlayoutsRequest) -> messages.PlayoutsAnswer:
        """Play many deals, or many moves of some.

        Many moves in one request, from posted or new deals. It stops after 1 s of processor time, or 1 MiB of response;
        `done` and `left` say what remains. It counts as a question to computer players. A move that the rules refuse
        ends only its own play-out, with the reason in `refusal`.
        """
        return await self._ask(
            "POST", path_of("games", game, "playouts"), messages.PlayoutsAnswer, {}, body=request, wait=LONGEST_THOUGHT
        )

    async def rounds(self, request: messages.RoundsRequest) -> messages.RoundsAnswer:
        """Plan tables for the rounds of a tournament.

        Nothing is stored. Tables have nearly the same size. A local search of at most a second avoids repeated
        meetings: sixteen people can play five rounds at tables of four without any. The order of seats, and places at
        smaller tables, rotate. If somebody drops out, ask again with the remaining people and the rounds already
        played. For a last round by standing, send the standing.
        """
        return await self._ask("POST", path_of("rounds"), messages.RoundsAnswer, {}, body=request, wait=LONGEST_THOUGHT)

    async def open_table(self, request: messages.OpenTable, *, key: str | None = None) -> messages.Seated:
        """Open a table.

        You become its host, on seat 0. The token in the response is shown only once.
        """
        return await self._ask(
            "POST", path_of("tables"), messages.Seated, conditions(None, None, key), body=request, query=self._words
        )

    async def change_table(
        self,
        table: str,
        token: str,
        request: messages.ChangeTable,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> messages.Table:
        """Change an open table.

        Host only. Fields that you leave out do not change. `locked` may change at any time, the others before a match.
        """
        return await self._ask(
            "PATCH",
            path_of("tables", table),
            messages.Table,
            conditions(token, version, key),
            body=request,
            query=self._words,
        )

    async def sit(
        self,
        table: str,
        request: messages.SitDown,
        token: str | None = None,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> messages.Seated:
        """Sit down, or seat a computer player.

        Seating a computer player needs the host's token. A person's token is shown only once. After a match, a person
        sits down for the next one.
        """
        return await self._ask(
            "POST",
            path_of("tables", table, "seats"),
            messages.Seated,
            conditions(token, version, key),
            body=request,
            query=self._words,
        )

    async def leave(
        self, table: str, seat: int, token: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Leave a seat, or remove another player.

        At an open table, later seats move up. During a match, a computer player takes the hand; then the host can
        remove only players who are away or, without a time limit, have been on turn for a day. In the latter case, any
        other seat may also remove the host.
        """
        return await self._ask(
            "DELETE",
            path_of("tables", table, "seats", seat),
            messages.Table,
            conditions(token, version, key),
            query=self._words,
        )

    async def leave_nameless(
        self, table: str, seat: int, token: str, name: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Leave a seat, and remove your name from the table.

        The name in the request replaces yours in the table, in its events, and for the computer player that takes the
        hand. Clients that resume older events get a `gap`.
        """
        return await self._ask(
            "PUT",
            path_of("tables", table, "seats", seat, "successor"),
            messages.Table,
            conditions(token, version, key),
            body=messages.SetName(name),
            query=self._words,
        )

    async def set_level(
        self, table: str, seat: int, token: str, level: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Set the level of a computer player.

        Host only, while the table is open.
        """
        return await self._ask(
            "PATCH",
            path_of("tables", table, "seats", seat),
            messages.Table,
            conditions(token, version, key),
            body=messages.SetLevel(level),
            query=self._words,
        )

    async def set_name(
        self, table: str, seat: int, token: str, name: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Rename a seat.

        Your own before or after a match or, as the host, a computer player's at any time; once in 30 seconds. If the
        seat still has the name of a player who has left, renaming removes that name from the table, and clients that
        resume older events get a `gap`.
        """
        return await self._ask(
            "PUT",
            path_of("tables", table, "seats", seat, "name"),
            messages.Table,
            conditions(token, version, key),
            body=messages.SetName(name),
            query=self._words,
        )

    async def give_seed(
        self,
        table: str,
        seat: int,
        token: str,
        request: messages.GiveSeed,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> messages.Table:
        """Set your seat's client seed for the next match's shuffle.

        It is valid for one match; a seat without one has an empty seed.
        """
        return await self._ask(
            "PUT",
            path_of("tables", table, "seats", seat, "seed"),
            messages.Table,
            conditions(token, version, key),
            body=request,
            query=self._words,
        )

    async def come_back(
        self, table: str, seat: int, token: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Take your hand back from a computer player."""
        return await self._ask(
            "POST",
            path_of("tables", table, "seats", seat, "return"),
            messages.Table,
            conditions(token, version, key),
            query=self._words,
        )

    async def start(
        self, table: str, token: str, *, version: int | None = None, key: str | None = None
    ) -> messages.Table:
        """Start the match, or stay for another match after it.

        Host only. After a match, this call says that the host stays. The next match begins when every person has
        answered, or a minute later with those who stay.
        """
        return await self._ask(
            "POST",
            path_of("tables", table, "start"),
            messages.Table,
            conditions(token, version, key),
            query=self._words,
        )

    async def answer_rematch(
        self,
        table: str,
        seat: int,
        token: str,
        request: messages.AnswerRematch,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> messages.Table:
        """Say whether you stay for another match.

        This is possible only after a match. The next match begins when every person has answered, or a minute after the
        first person stays, with those who stay; the others lose their seats. Until the match begins, an answer can be
        changed. Computer players always stay. If too few people stay, computer players take the other seats or, with
        `fill_seats` false, the table waits for newcomers. If the players change, the first dealer is drawn, and the
        last match has no effect on the next.
        """
        return await self._ask(
            "PUT",
            path_of("tables", table, "seats", seat, "rematch"),
            messages.Table,
            conditions(token, version, key),
            body=request,
            query=self._words,
        )

    async def moves(self, table: str, token: str) -> messages.LegalMoves:
        """List the legal moves of the token's seat.

        Each distinct choice is listed once, in a fixed order. If several moves are equal, one is listed, as the game's
        `Move` says; the others are legal too.
        """
        return await self._ask(
            "GET", path_of("tables", table, "moves"), messages.LegalMoves, bearer(token), query=self._words
        )

    async def hint(self, table: str, token: str, *, language: Language | None = None) -> messages.Hint:
        """Get a hint: the move of level `hard` for the token's seat, with its reason.

        The table's `hints` must be true, and the seat must be on turn. The call changes nothing.
        """
        return await self._ask(
            "POST",
            path_of("tables", table, "hint"),
            messages.Hint,
            bearer(token) | spoken(language),
            query=self._words,
            wait=LONGEST_THOUGHT,
        )

    async def tables(
        self, *, cursor: str | None = None, limit: int | None = None, status: Literal["open", "playing"] | None = None
    ) -> messages.TablePage:
        """List the tables that anyone may join or watch.

        These are tables with `listed`: those that wait for players or, with `status`, those in play.
        """
        return await self._ask(
            "GET", path_of("tables"), messages.TablePage, {}, query={"cursor": cursor, "limit": limit, "status": status}
        )

    async def proof(self, table: str, deal: int, *, match: int | None = None) -> messages.Proof:
        """Get the proof of a finished deal's shuffle."""
        return await self._ask(
            "GET", path_of("tables", table, "deals", deal), messages.Proof, {}, query={"match": match}
        )

    async def review(
        self, table: str, token: str, deal: int, *, match: int | None = None, language: Language | None = None
    ) -> messages.Review:
        """Review the moves of the token's seat in a finished deal.

        For each move: what level `hard` would have played with the same knowledge, why, and how much more it expects of
        that than of the move played. The answer is always the same.
        """
        return await self._ask(
            "GET",
            path_of("tables", table, "deals", deal, "review"),
            messages.Review,
            bearer(token) | spoken(language),
            query={**self._words, "match": match},
            wait=LONGEST_THOUGHT,
        )

    async def subscribe(self, table: str, token: str, request: messages.Subscribe) -> messages.Subscribed:
        """Subscribe to notices of a table, sent to a server or pushed to a browser.

        Only if the operator allows it: see `webhooks` of `GET /v1/server`. You get a notice for each turn of the
        token's seat, or of every person, for the end of each match, and when the table is closed. It is a `POST` with a
        `WebhookNotice` without cards, signed as [Standard Webhooks](https://www.standardwebhooks.com/) with the secret
        in the response, which is shown only once. A notice that does not get 2xx is sent again with increasing pauses,
        for at most a day, and not after its turn has passed. Notices are sent in turns by subscriber, then by target.
        If more than 256 of a client wait for one server, or 1,024 in all, the oldest are dropped. After a crash a
        notice may be repeated, with the same `webhook-id`. A response 410 ends the subscription, as does leaving the
        table. A seat has one subscription for each URL; subscribing again changes its secret. A browser subscribes with
        `push_key` of `GET /v1/server` (`PushManager.subscribe`); send the result as `browser`.
        """
        return await self._ask(
            "POST", path_of("tables", table, "subscriptions"), messages.Subscribed, bearer(token), body=request
        )

    async def subscriptions(self, table: str, token: str) -> messages.SubscriptionList:
        """List the subscriptions of the token's seat."""
        return await self._ask(
            "GET", path_of("tables", table, "subscriptions"), messages.SubscriptionList, bearer(token)
        )

    async def unsubscribe(self, table: str, token: str, subscription: str) -> messages.SubscriptionList:
        """End a subscription.

        The response lists the seat's remaining subscriptions.
        """
        return await self._ask(
            "DELETE", path_of("tables", table, "subscriptions", subscription), messages.SubscriptionList, bearer(token)
        )

    async def test_subscription(self, table: str, token: str, subscription: str) -> messages.WaitingNotice:
        """Send a test notice.

        A notice of type `test` is sent once, in its turn, even if the subscription does not include that type. After
        that, `deliveries` has its outcome. Only one test notice can wait at a time.
        """
        return await self._ask(
            "POST",
            path_of("tables", table, "subscriptions", subscription, "test"),
            messages.WaitingNotice,
            bearer(token),
        )

    async def deliveries(self, table: str, token: str, subscription: str) -> messages.DeliveryList:
        """List the outcomes of a subscription's latest notices.

        These are the last ten attempts to deliver a notice, newest first. Failures have a class, but neither status nor
        text of the response. They are deleted with the subscription.
        """
        return await self._ask(
            "GET",
            path_of("tables", table, "subscriptions", subscription, "deliveries"),
            messages.DeliveryList,
            bearer(token),
        )

    async def set_evening(self, table: str, token: str, game: str, at: datetime | None) -> messages.NextEvening:
        """Set the next evening of a table's people.

        An evening is a time to play again. Subscribers to `invitation` at the table get a notice a day before, or
        immediately if that is past; subscribers to `evening` half an hour before. Setting the same evening again sends
        nothing twice. Subscriptions outlive the table: until a day after the evening or, without one, until 35 days
        after the last match. They end when everybody has left the table. Anyone with a seat may set the evening; after
        the table has expired, only the person who last set it. Another time, or null, replaces the evening and cancels
        its notices.
        """
        return await self._ask(
            "PUT",
            path_of("tables", table, "evening"),
            messages.NextEvening,
            bearer(token),
            body=messages.SetEvening(game, at),
        )

    async def server(self, *, language: Language | None = None) -> messages.Server:
        """Get the server's release, public address and announced maintenance."""
        return await self._ask("GET", path_of("server"), messages.Server, spoken(language))
