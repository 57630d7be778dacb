"""What a strong computer player would have done: a hint on one's turn, and a look back at one's moves after a match."""

from locanda.errors import ConflictError
from locanda.messages import JsonObject, Review, ReviewedMove, Table
from locanda.texts.games import texts_of

from .session import Session


async def print_hint(session: Session, table: Table, token: str) -> None:
    """Print what `hard` would play, and why. Raises `EngineError`."""
    if not table.moves:
        session.say("It is not your turn yet.")
        return
    hint = await session.engine.hint(table.id, token)
    session.output.line(session.gettext("Hint: {move}.", move=_label(session, table, hint.move)), style="bold")
    session.output.line(hint.reason.text)


def _label(session: Session, table: Table, move: JsonObject) -> str:
    return texts_of(table.game).move_label(move, table.deal, session.translations)


async def print_review(session: Session, table: Table, token: str) -> None:
    """Print, deal by deal, the moves of the last match that cost most. Raises `EngineError`."""
    if table.match.result is None:
        session.say("The match is not over yet.")
        return
    for deal in range(1, table.match.deal + 1):
        try:
            review = await session.engine.review(table.id, token, deal, match=table.match.number)
        except ConflictError:
            session.say("The next match has begun already.")
            return
        _print_deal(session, table, deal, review)


def _print_deal(session: Session, table: Table, deal: int, review: Review) -> None:
    session.output.line()
    heading = session.gettext(
        "Deal {deal}: {same} of {all} moves as a strong player would.",
        deal=deal,
        same=review.as_best,
        all=len(review.moves),
    )
    session.output.line(heading, style="bold")
    for reviewed in review.costliest:
        _print_move(session, table, reviewed)


def _print_move(session: Session, table: Table, reviewed: ReviewedMove) -> None:
    texts, translations = texts_of(table.game), session.translations
    if reviewed.view is not None:
        session.output.rows([(session.gettext("Your hand"), "  ".join(texts.hand(reviewed.view, translations)) or "—")])
    played, best = (texts.move_label(move, reviewed.view, translations) for move in (reviewed.played, reviewed.best))
    session.say("You: {played}. Better: {best}. {reason}", played=played, best=best, reason=reviewed.reason.text)
