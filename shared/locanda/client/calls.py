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
        """Every game."""
        return (await self._ask("GET", path_of("games"), messages.Catalogue, {})).games

    async def lesson(self, game: AnyGameName, *, language: Language | None = None) -> messages.Lesson:
        """A game's lesson.

        One stacked deal, with a sentence for each idea. A client shows `start` as it shows a table, with the `text` of
        the first step; once the learner has made its `move`, the moments of `then`, one after the other, and so on to
        `end`. To another move it says `allowed`, or why `POST /v1/games/{game}/check` refuses it in the moment's
        `deal`. Nothing is stored, and nobody has a seat.
        """
        return await self._ask("GET", path_of("games", game, "lesson"), messages.Lesson, spoken(language))

    async def remarks(self, *, language: Language | None = None) -> messages.RemarkList:
        """What may be said at a table, in words."""
        return await self._ask("GET", path_of("remarks"), messages.RemarkList, spoken(language))

    async def deal(self, game: AnyGameName, request: messages.DealRequest) -> AnyDeal:
        """Deal the cards.

        Nothing is stored. The same options, seats, dealer and seed always give the same deal.
        """
        return (await self._ask("POST", path_of("games", game, "deals"), messages.DealBody, {}, body=request)).deal

    async def moves_of(self, game: AnyGameName, deal: AnyDeal) -> messages.LegalMoves:
        """Every legal move in a deal.

        Each distinct choice once, in a fixed order. Of several equal moves one is listed, as the game's `Move` says;
        the others are legal too, for playing and for checking.
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
        """What a seat, or a spectator, may see of a deal."""
        return (
            await self._ask(
                "POST", path_of("games", game, "view"), messages.ViewAnswer, {}, body=messages.ViewRequest(deal, seat)
            )
        ).view

    async def suggest(
        self, game: AnyGameName, request: messages.SuggestRequest, *, language: Language | None = None
    ) -> messages.Suggestion:
        """A computer player's move in a view, and why.

        It takes what a seat may see, never a deal: the seat of the view is on turn. With `history`, the events since
        the deal, it plays better. A budget is for `hard` alone: `iterations` or `ms` of processor time, else the
        engine's own. With a `seed` and `iterations` the answer is always the same, unless the search had to end, after
        two or three seconds.
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

        Many moves in one request, from posted deals or fresh ones. After 1 s of processor time, or 1 MiB of answer, it
        ends where it is: `done` and `left` say what is still to do. It counts as a question to computer players. A move
        that the rules refuse ends its own play-out alone, in `refusal`.
        """
        return await self._ask(
            "POST", path_of("games", game, "playouts"), messages.PlayoutsAnswer, {}, body=request, wait=LONGEST_THOUGHT
        )

    async def rounds(self, request: messages.RoundsRequest) -> messages.RoundsAnswer:
        """Tables for the rounds of a tournament.

        Nothing is stored. People sit at tables of nearly one size, in rounds in which nobody meets anybody again as far
        as a local search of a second at most finds: sixteen people play five rounds at tables of four so. Seats, and
        places at smaller tables, go round. When somebody drops out, ask again with those who are left and the rounds
        that were played; for a last round by standing, give the standing.
        """
        return await self._ask("POST", path_of("rounds"), messages.RoundsAnswer, {}, body=request, wait=LONGEST_THOUGHT)

    async def open_table(self, request: messages.OpenTable, *, key: str | None = None) -> messages.Seated:
        """Open a table.

        Who opens a table is its host, on seat 0. The token in the answer is shown this once.
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

        Host only. What is left out stays as it is. `locked` may change at any time, the rest before a match.
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

        A computer player is seated with the host's token. A person's token is shown this once. After a match, a person
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
        """Leave a seat, or remove somebody else.

        Those behind move up while the table is open; once cards are dealt a computer player takes the hand. During a
        match the host removes only who is away, or, where a turn has no limit, who has been on turn for a day; then any
        other seat may remove the host too.
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
        """Leave a seat, and let the table forget your name.

        The table has the given name in its place, in its events and for the computer player that takes the hand.
        Whoever resumes its events from before gets a `gap`.
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
        """Give a seat another name.

        One's own before or after a match, or as the host a computer player's at any time; once in 30 seconds. If that
        was the name of somebody who has left, the table forgets it: whoever resumes its events from before gets a
        `gap`.
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
        """Give one's own share in the coming match's shuffle.

        It is for one match: each match takes fresh seeds, and a seat that gives none has an empty one.
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
        """Take one's hand back from a computer player."""
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
        """Start the match, or stay for another one once it is over.

        Host only. Once a match is over, the host says by it that they stay: the next one begins when every person has
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
        """Say whether one stays for another match.

        Once a match is over. The next one begins when every person has answered, or a minute after the first answer of
        one who stays, with those who do; the others have no seat then. Until it begins, an answer may be changed.
        Computer players always stay. If too few stay, computer players take the seats of those who do not, or with
        `fill_seats` false the table waits for newcomers, who sit down as at an open table. Unless the same players go
        on, the first dealer is drawn, and nobody owes anything from the match before.
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
        """The bearer's legal moves now.

        Each distinct choice once, in a fixed order. Of several equal moves one is listed, as the game's `Move` says;
        the others are legal too, for playing and for checking.
        """
        return await self._ask(
            "GET", path_of("tables", table, "moves"), messages.LegalMoves, bearer(token), query=self._words
        )

    async def hint(self, table: str, token: str, *, language: Language | None = None) -> messages.Hint:
        """What the computer player of level hard would play in the bearer's seat, and why.

        Where the table's `hints` is true, and the bearer is on turn. Changes nothing.
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
        """Tables that anyone may join, or watch.

        Those that were opened with `listed`: while they wait for players or, with `status`, those in play.
        """
        return await self._ask(
            "GET", path_of("tables"), messages.TablePage, {}, query={"cursor": cursor, "limit": limit, "status": status}
        )

    async def proof(self, table: str, deal: int, *, match: int | None = None) -> messages.Proof:
        """A finished deal with all that proves its shuffle."""
        return await self._ask(
            "GET", path_of("tables", table, "deals", deal), messages.Proof, {}, query={"match": match}
        )

    async def review(
        self, table: str, token: str, deal: int, *, match: int | None = None, language: Language | None = None
    ) -> messages.Review:
        """The bearer's moves of a finished deal, beside those of the computer player of level hard.

        What `hard` would have played with what the bearer saw then, why, and how much more it expects of that than of
        the move played. The answer is always the same.
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
        """Have notices of a table sent to a server, or pushed to a browser.

        Where the operator lets people do so: `webhooks` of `GET /v1/server`. A notice comes for each turn of the
        bearer's seat, or of every person, for the end of each match, and when the table is closed: a `POST` with a
        `WebhookNotice`, signed as [Standard Webhooks](https://www.standardwebhooks.com/) lay down with the secret in
        the answer, which is shown this once. No card is in it. It is tried again, each time after twice as long, until
        the receiver answers 2xx, at most for a day; one whose turn has passed is not sent. Notices take turns by the
        client that has subscribed, and then by where they go; where more than 256 of a client wait for one server, or
        1,024 in all, the oldest are dropped. After a crash one may come twice, with the same `webhook-id`. 410 ends the
        subscription, as does leaving the table. The same seat and URL have one subscription: asked for again, it gets
        another secret. With `push_key` of `GET /v1/server` a browser subscribes to pushes (`PushManager.subscribe`);
        what it gets is given as `browser`.
        """
        return await self._ask(
            "POST", path_of("tables", table, "subscriptions"), messages.Subscribed, bearer(token), body=request
        )

    async def subscriptions(self, table: str, token: str) -> messages.SubscriptionList:
        """The subscriptions of the bearer's seat."""
        return await self._ask(
            "GET", path_of("tables", table, "subscriptions"), messages.SubscriptionList, bearer(token)
        )

    async def unsubscribe(self, table: str, token: str, subscription: str) -> messages.SubscriptionList:
        """End a subscription.

        The answer lists the others.
        """
        return await self._ask(
            "DELETE", path_of("tables", table, "subscriptions", subscription), messages.SubscriptionList, bearer(token)
        )

    async def test_subscription(self, table: str, token: str, subscription: str) -> messages.WaitingNotice:
        """Have a test notice sent.

        A notice of the type `test` is sent once, in its turn among the others, whatever the subscription's types are;
        `deliveries` then says what came of it. One waits at a time: until it is sent, the answer stays the same.
        """
        return await self._ask(
            "POST",
            path_of("tables", table, "subscriptions", subscription, "test"),
            messages.WaitingNotice,
            bearer(token),
        )

    async def deliveries(self, table: str, token: str, subscription: str) -> messages.DeliveryList:
        """What came of the last notices of a subscription.

        The last ten attempts to deliver a notice, newest first, with the class of a failure alone: neither the status
        nor the text of an answer is shown. They go with the subscription.
        """
        return await self._ask(
            "GET",
            path_of("tables", table, "subscriptions", subscription, "deliveries"),
            messages.DeliveryList,
            bearer(token),
        )

    async def set_evening(self, table: str, token: str, game: str, at: datetime | None) -> messages.NextEvening:
        """Set when a table's people meet again.

        Subscribers to `invitation` at the table get a notice a day before, or at once where that is past, and
        subscribers to `evening` half an hour before: each once, however often the same is set. They hear of it though
        the table has expired by then: as long as an evening is set and a day after it, and with none set until 35 days
        after the last match. When everybody has left the table, nobody does any more. Anybody with a seat at the table
        may set it; once the table has expired, its last setter may set it again. Another time, or null, takes the place
        of the one before, whose notices are not sent any more.
        """
        return await self._ask(
            "PUT",
            path_of("tables", table, "evening"),
            messages.NextEvening,
            bearer(token),
            body=messages.SetEvening(game, at),
        )

    async def server(self, *, language: Language | None = None) -> messages.Server:
        """The release that runs, where people elsewhere reach it, and announced maintenance."""
        return await self._ask("GET", path_of("server"), messages.Server, spoken(language))
