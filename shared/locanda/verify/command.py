"""The command line of the verifier: arguments, output and exit code."""

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from .dealing import Dealing
from .examination import (
    AGREES,
    CARDS_ONLY,
    NOTHING_PUBLISHED,
    NOTHING_TO_COMPARE,
    UNREADABLE,
    Published,
    Report,
    examine,
)
from .form import SEED, read_bounded, read_object, read_path, read_proof
from .rules import EngineRules, Rules
from .sentences import Sentence, Translate, say, translated


def described(proof: dict[str, Any], report: Report) -> Iterator[str]:
    """Yield the lines of output about a proof."""
    named = {name: proof[name] for name in ("deal", "match", "table")}
    yield from report.errors
    if report.exit_code == AGREES:
        yield say("Deal {deal} of match {match} at table {table} is as it was committed.", **named)
    elif report.exit_code == CARDS_ONLY:
        yield say("The cards of deal {deal} of match {match} at table {table} are as it was committed.", **named)
    elif report.exit_code == NOTHING_TO_COMPARE:
        yield say(
            "Deal {deal} of match {match} at table {table} agrees with itself, which proves nothing: anyone who makes "
            "a proof can choose all its seeds.",
            **named,
        )
        yield say("Compare this with what the table showed, and what you gave, before the deal; or give it as options:")
    yield f"  --commitment {proof['commitment']}"
    for seat, seed in enumerate(proof["client_seeds"]):
        option = f"  --client-seed {seat}={seed}"
        yield option if seed else say("{option}  (seat {seat} gave none)", option=option, seat=seat)
    yield say("Not covered:")
    yield from (
        Sentence.of("  {name}: {why}", {"name": name, "why": why}) for name, why in sorted(report.uncovered.items())
    )


def check(
    text: str,
    published: Published = NOTHING_PUBLISHED,
    *,
    before: str | None = None,
    rules: Rules | None = None,
    gettext: Translate = str,
) -> int:
    """Check the text of a proof, and of the proof before it if given. Print the findings; return the exit code."""
    try:
        proof = read_proof(text)
        report = examine(proof, published, before=None if before is None else read_proof(before), rules=rules)
    except OSError as error:
        return _unreadable(say("The engine does not answer: {error}", error=_words(error)), gettext)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return _unreadable(_no_proof(error), gettext)
    _print_lines(str(translated(line, gettext)) for line in described(proof, report))
    return report.exit_code


def _no_proof(error: Exception) -> Sentence:
    if isinstance(error, OSError) and error.filename:
        return say("{file} cannot be read: {error}.", file=error.filename, error=error.strerror)
    kind = type(error).__name__
    return say("This is no proof that can be read: {kind}: {error}", kind=kind, error=_words(error))


def _words(error: Exception) -> str:
    """Return the message of an error. A `Sentence` is not converted to text, so that it can be translated."""
    first = error.args[0] if error.args else ""
    return first if isinstance(first, Sentence) else str(error)


def _unreadable(why: Sentence, gettext: Translate) -> int:
    print(escaped(str(translated(why, gettext)), sys.stderr), file=sys.stderr)
    return UNREADABLE


def escaped(text: str, file: TextIO) -> str:
    """Escape control characters, and characters that the file's encoding does not have."""
    printable = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    encoding = file.encoding or "utf-8"
    return printable.encode(encoding, "backslashreplace").decode(encoding)


def _print_lines(lines: Iterable[str]) -> None:
    """Print escaped lines; stop when the reader, such as `head`, closes the pipe."""
    try:
        for line in lines:
            print(escaped(line, sys.stdout))
        sys.stdout.flush()
    except BrokenPipeError:
        with Path(os.devnull).open("wb") as nothing:  # receives the rest of the buffer, which Python flushes at exit
            os.dup2(nothing.fileno(), sys.stdout.fileno())


def seat_and_seed(text: str) -> tuple[int, str]:
    """Parse a seat and its client seed, as in `0=TEXT`. Raises `argparse.ArgumentTypeError` for any other text."""
    seat, equals, seed = text.partition("=")
    if not equals or not re.fullmatch("[0-9]", seat):
        raise argparse.ArgumentTypeError(f"{text!r} is not SEAT=TEXT, seats counted from 0")
    return int(seat), seed


def hexadecimal(text: str) -> str:
    """Convert a commitment to lower case. Raises `argparse.ArgumentTypeError` for an invalid commitment."""
    commitment = text.strip().lower()
    if not SEED.fullmatch(commitment):
        raise argparse.ArgumentTypeError(f"{text!r} is not 64 hexadecimal digits")
    return commitment


def dealing_file(path: str) -> Dealing:
    """Read the description of how cards are dealt from a file with the description alone, or with a game's details.

    Raises `argparse.ArgumentTypeError` if the file cannot be read or is not a JSON object.
    """
    try:
        content = read_object(read_path(path))
    except (OSError, ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"{path!r} has no description of a dealing: {error}") from None
    return dict(content.get("dealing", content))


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for values published before the deal, and for the rules."""
    parser.add_argument("--commitment", metavar="HEX", type=hexadecimal, help="as the table showed it before the deal")
    seed_help = "a seat, counted from 0, and the client seed that was given for it before the match; may be repeated"
    parser.add_argument("--client-seed", metavar="SEAT=TEXT", type=seat_and_seed, action="append", help=seed_help)
    parser.add_argument("--before", metavar="PROOF", help="the proof of the deal before: dealer and tax follow from it")
    dealing_help = "how the game is dealt, as GET /v1/games/{game} says; for a game that is not one of this package"
    parser.add_argument("--dealing", metavar="FILE", type=dealing_file, help=dealing_help)
    parser.add_argument("--engine", metavar="URL", help="an engine that checks the moves by its rules")


def published_by(arguments: argparse.Namespace) -> Published:
    """Collect the values published before the deal from the options."""
    seeds: dict[int, set[str]] = {}
    for seat, seed in arguments.client_seed or ():
        seeds.setdefault(seat, set()).add(seed)
    return Published(arguments.commitment, seeds, arguments.dealing)


def check_file(arguments: argparse.Namespace, gettext: Translate = str) -> int:
    """Check the proof in the file `arguments.proof`; return the exit code."""
    try:
        text = read_bounded(sys.stdin.buffer) if arguments.proof == "-" else read_path(arguments.proof)
    except (OSError, ValueError) as error:
        return _unreadable(_no_proof(error), gettext)
    return check_text(text, published_by(arguments), arguments, gettext)


def check_text(text: str, published: Published, arguments: argparse.Namespace, gettext: Translate = str) -> int:
    """Check a proof with the options `before` and `engine`; print the findings, return the exit code."""
    try:
        before = None if arguments.before is None else read_path(arguments.before)
    except (OSError, ValueError) as error:
        return _unreadable(_no_proof(error), gettext)
    rules = EngineRules(arguments.engine) if arguments.engine else None
    return check(text, published, before=before, rules=rules, gettext=gettext)


def main(arguments: list[str] | None = None) -> int:
    """Check the proof named on the command line; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="locanda-verify",
        description="Check from its proof that a deal was dealt as it had been committed.",
        epilog="Exit codes: 0 all agrees with what was published before the deal; 1 something does not; 2 no proof; "
        "3 the proof agrees with itself, but what is to be compared with it was not given, so that it proves nothing; "
        "4 the cards agree, but moves and result were not played again: see --engine.",
    )
    parser.add_argument("proof", metavar="PROOF", help="a downloaded proof, - for standard input")
    add_options(parser)
    return check_file(parser.parse_args(arguments))
