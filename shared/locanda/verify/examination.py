"""Checks a proof: whether it is consistent, agrees with the values published before the deal, and follows the rules."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .agreement import dealing_of, errors, errors_after, unknown_parts
from .dealing import Dealing, is_taxed, known_dealing
from .form import FIELDS
from .rules import Rules, replay_errors
from .sentences import say

AGREES, WRONG, UNREADABLE, NOTHING_TO_COMPARE, CARDS_ONLY = range(5)
"""Exit codes."""


@dataclass(frozen=True)
class Published:
    """Values that a player saw or gave before the deal."""

    commitment: str | None = None
    client_seeds: Mapping[int, Collection[str]] = field(default_factory=dict)
    """The possible client seeds of each seat; an empty text for no seed."""
    dealing: Dealing | None = None
    """How the cards are dealt, for a game of another package."""


NOTHING_PUBLISHED = Published()


@dataclass
class Report:
    """The findings of an examination."""

    errors: list[str]
    uncovered: dict[str, str] = field(default_factory=dict)
    """Fields that were not checked, each with the reason and a way to check it."""
    compared: bool = False
    """Whether the commitment and the description of the dealing were compared with published ones."""
    replayed: bool = False
    """Whether the moves and the result were recomputed by the rules."""

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        if self.errors:
            return WRONG
        if not self.compared:
            return NOTHING_TO_COMPARE
        return AGREES if self.replayed else CARDS_ONLY


def published_errors(proof: dict[str, Any], published: Published) -> Iterator[str]:
    """Yield a sentence for each part of a proof that differs from the published value."""
    if published.commitment is not None and published.commitment != proof["commitment"]:
        seen = published.commitment
        yield say("`commitment` is not the one that was published before, {seen}", seen=seen)
    for seat, seeds in sorted(published.client_seeds.items()):
        if seat >= len(proof["client_seeds"]):
            yield say("there is no seat {seat}", seat=seat)
        elif proof["client_seeds"][seat] not in seeds:
            yield say("`client_seeds[{seat}]` is not what was given for this seat", seat=seat)


def examine(
    proof: dict[str, Any],
    published: Published = NOTHING_PUBLISHED,
    *,
    before: dict[str, Any] | None = None,
    rules: Rules | None = None,
) -> Report:
    """Check a proof against itself, the published values, the proof of the deal before, and the rules.

    Raises `ValueError` if it is not a proof, and `OSError` if an engine does not answer.
    """
    report = Report([*errors(proof, published.dealing), *published_errors(proof, published)])
    _note_unpublished(proof, published, report)
    _examine_sequence(proof, published.dealing, before, rules, report)
    _examine_play(proof, rules, report)
    return report


def _note_unpublished(proof: dict[str, Any], published: Published, report: Report) -> None:
    dealing = published.dealing or known_dealing(proof["game"])
    report.compared = published.commitment is not None and dealing is not None
    if dealing is None:
        report.uncovered["dealing"] = say("known from this proof alone: is it what the game's page said? see --dealing")
    added = [f"start.{name}" for name in unknown_parts(proof, dealing_of(proof, published.dealing))]
    for name in [*sorted(set(proof) - {*FIELDS, "dealing"}), *added]:
        report.uncovered[name] = say("this verifier does not know the field")
    if published.commitment is None:
        why = say("not compared with what was published: is it what the table showed before?")
        report.uncovered["commitment"] = why
    others = [seat for seat in range(len(proof["client_seeds"])) if seat not in published.client_seeds]
    if others:
        seats = ", ".join(map(str, others))
        why = say("not compared with what was given for seat {seats}: ask who sat there", seats=seats)
        report.uncovered["client_seeds"] = why
    why = say("what of them decides the cards is recomputed; are they what the table showed?")
    report.uncovered["start.options"] = why


def _examine_sequence(
    proof: dict[str, Any], known: Dealing | None, before: dict[str, Any] | None, rules: Rules | None, report: Report
) -> None:
    """Check the parts that depend on the deal before, or report that they are not covered."""
    owed = is_taxed(dealing_of(proof, known), proof["start"]) and (proof["match"], proof["deal"]) != (1, 1)
    if before is None:
        if proof["match"] > 1:
            why = say("must sit after the last dealer of the match before: see --before")
            report.uncovered["start.dealer"] = why
        if owed:
            report.uncovered["start.dues"] = say("must follow from the ranking of the deal before: see --before")
        return
    differences = [*errors(before, known)]
    if not differences and rules is not None and rules.version(before["game"]) == before["rules"]:
        differences += replay_errors(before, rules)
    elif owed:
        why = say("follows from the ranking in the other proof, which was not recomputed")
        report.uncovered["start.dues"] = why
    report.errors += [say("the deal before: {error}", error=error) for error in differences]
    report.errors += errors_after(proof, before, known)
    if proof["match"] != before["match"]:
        why = say("follows from the other proof, of another match: check that one with its own commitment")
        report.uncovered |= {"start.dealer": why} | ({"start.dues": why} if owed else {})


def _examine_play(proof: dict[str, Any], rules: Rules | None, report: Report) -> None:
    """Replay the deal by the rules or, without rules, report that moves and result are not covered."""
    version = None if rules is None else rules.version(proof["game"])
    if rules is None or version != proof["rules"]:
        why = say("no rules are at hand; --engine URL names an engine that has them")
        if rules is not None:
            why = say("the rules at hand are of version {version}", version=version)
        report.uncovered |= {"rules": why, "result": say("not recomputed: {why}", why=why)}
        report.uncovered["moves"] = say("not played again: {why}; are they what you saw?", why=why)
        return
    if not report.errors:  # for an invalid start, a game's rules may raise any exception
        report.errors += replay_errors(proof, rules)
        report.replayed = True
    if not report.errors:
        report.uncovered["moves"] = say("they are legal and lead to the result; are they the ones you saw?")
