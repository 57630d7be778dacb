"""A person's turn: lists and plays moves, explains refusals, and gives hints; after a match, reviews."""

from collections.abc import Callable
from datetime import UTC, datetime

from locanda.errors import ConflictError, IllegalMoveError
from locanda.messages import GivenMove, JsonObject, Review, ReviewedMove, Selection, Table
from locanda.texts.games import hand_of, texts_of
from locanda.texts.phrases import duration
from locanda.texts.table import other_choices, review_heading
from locanda.texts.terminal import board_of, card_input

from .saved_seats import SavedSeat
from .session import Session
from .typed_moves import IllegalMove, OneMove, SeveralMoves, parse_move

# --- turns

FEW = 6
"""Maximum number of moves that are listed individually."""
LISTED_MOST = 30
"""Maximum number of listed choices. Moves that are not listed can be played by typing their cards."""


class Turn:
    """The turns of a seat."""

    def __init__(self, session: Session, seat: SavedSeat, game: str, show: Callable[[Table], None]) -> None:
        """Handle the turns of a seat; `show` prints the table."""
        self._session = session
        self._seat = seat
        self._show = show
        self._texts = texts_of(game)
        self._listed: list[list[GivenMove]] = []
        """The moves for each number of the last list: a single move, or several moves that begin alike."""
        self._source = board_of(game).source
        self.card_example = card_input(game).example

    def ask(self, table: Table, *, calls: bool = True) -> None:
        """List the legal moves if it is the person's turn. With `calls`, also ring the bell."""
        if not table.moves:
            return
        task = self._texts.task(table.deal, table.moves, self._session.translations, taps="none")
        if calls:
            self._session.output.call(f"Locanda: {self._session.gettext('Your turn.')}")
        self._session.output.line()
        self._session.output.line(f"{self._your_turn(table)} {task}", style="bold")
        self._list(table, table.moves)

    def _your_turn(self, table: Table) -> str:
        if not table.turn_seconds or table.deadline is None:
            return self._session.gettext("Your turn.")
        left = max(1, round((table.deadline - datetime.now(UTC)).total_seconds()))
        return self._session.gettext("Your turn, {time} left.", time=duration(left, self._session.translations))

    def _list(self, table: Table, moves: list[GivenMove]) -> None:
        """List moves. If there are many, moves that begin alike are one item, and a second list tells them apart."""
        choices = self._choices(moves)
        self._listed = choices[:LISTED_MOST]
        left = len(choices) - len(self._listed)
        more = self._session.translations.ngettext(
            "… and {n} more: type the cards, as in {cards}.", "… and {n} more: type the cards, as in {cards}.", left
        ).format(n=left, cards=self.card_example)
        self._session.output.choices([self._label(choice, table) for choice in self._listed], more=more if left else "")

    def _choices(self, moves: list[GivenMove]) -> list[list[GivenMove]]:
        source = self._source
        if source is None or len(moves) <= FEW:
            return [[move] for move in moves]
        alike: dict[str, list[GivenMove]] = {}
        for move in moves:
            alike.setdefault(source(move, self._session.translations), []).append(move)
        return [*alike.values()] if len(alike) > 1 else [[move] for move in moves]

    def _label(self, choice: list[GivenMove], table: Table) -> str:
        translations = self._session.translations
        if len(choice) == 1 or self._source is None:
            return self._texts.move_label(choice[0], table.deal, translations)
        return f"{self._source(choice[0], translations)} …"

    async def handle_line(self, table: Table, line: str) -> Table | None:
        """Play the move that a line means, and return the table; or print why it is refused. Raises `EngineError`."""
        if table.deal is None:
            return None
        match parse_move(line, self._listed, table.moves, table.game, table.deal, self._session.translations):
            case OneMove(move):
                return await self._play(table, move)
            case SeveralMoves(moves):
                if self._source is not None:  # the long list has scrolled the table out of view
                    self._show(table)
                self._session.say("Which one?")
                self._list(table, moves)
            case IllegalMove(selection):
                return await self._check(table, selection)
            case _ if not line.strip():
                self._session.say("Choose a move with the arrow keys, then press Enter. ? helps.")
            case _:
                self._session.say("I do not understand that. ? helps.")
        return None

    async def _play(self, table: Table, move: GivenMove) -> Table | None:
        try:
            return (await self._session.engine.play(table.id, self._seat.token, move, version=table.version)).table
        except IllegalMoveError as error:
            self._print_refusal(table, error.code, error.problem.facts or {})
        return None

    async def _check(self, table: Table, selection: Selection) -> Table | None:
        """Ask the engine about cards that match no listed move, and play them if they are legal."""
        verdict = await self._session.engine.check(table.id, self._seat.token, selection)
        if verdict.legal and verdict.meant:
            return await self._play(table, verdict.meant)
        self._print_refusal(table, verdict.code or "", verdict.facts or {})
        return None

    def _print_refusal(self, table: Table, code: str, facts: JsonObject) -> None:
        text = self._session.problem_text(code, facts, table)
        self._session.output.line(text or self._session.gettext("That is not possible now."))


# --- hints and reviews


async def print_hint(session: Session, table: Table, token: str) -> None:
    """Print the move that `hard` would play, and why. Raises `EngineError` if the call fails."""
    if not table.moves:
        session.say("It is not your turn yet.")
        return
    hint = await session.engine.hint(table.id, token)
    session.output.line(session.gettext("Hint: {move}.", move=_label(session, table, hint.move)), style="bold")
    session.output.line(hint.reason.text)


def _label(session: Session, table: Table, move: GivenMove) -> str:
    return texts_of(table.game).move_label(move, table.deal, session.translations)


async def print_review(session: Session, table: Table, token: str) -> None:
    """Print the costliest moves of the last match, deal by deal. Raises `EngineError` if a call fails."""
    if table.match.result is None:
        session.say("The match is not over yet.")
        return
    session.say("The computer looks at your moves, for up to a minute.")
    for deal in range(1, table.match.deal + 1):
        try:
            review = await session.engine.review(table.id, token, deal, match=table.match.number)
        except ConflictError:
            session.say("The next match has begun already.")
            return
        _print_deal(session, table, deal, review)


def _print_deal(session: Session, table: Table, deal: int, review: Review) -> None:
    session.output.line()
    session.output.line(review_heading(deal, review, session.translations), style="bold")
    for reviewed in review.costliest:
        _print_move(session, table, reviewed)
    if others := other_choices(review, session.translations):
        session.output.line(others)


def _print_move(session: Session, table: Table, reviewed: ReviewedMove) -> None:
    texts, translations = texts_of(table.game), session.translations
    if reviewed.view is not None:
        session.output.rows([(session.gettext("Your hand"), "  ".join(hand_of(reviewed.view, translations)) or "—")])
    played, best = (texts.move_label(move, reviewed.view, translations) for move in (reviewed.played, reviewed.best))
    session.say("You: {played}. Better: {best}. {reason}", played=played, best=best, reason=reviewed.reason.text)
