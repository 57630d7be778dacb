"""The verifier: checks the proof of a finished deal against the seed that was committed to before the match.

It runs stand-alone: this folder needs only Python's standard library and shares no code with the engine. Download a
proof from `GET /v1/tables/{table}/deals/{n}`, and run `make verify`, `locanda-verify`, or `python3` on this folder:

    locanda-verify proof.json --commitment 64HEX --client-seed 0=TEXT

Pass the commitment that the table showed before the match, and the client seed that you gave for your seat. Anyone who
makes up a proof can choose its seeds, so a proof proves nothing unless you compare it with published values.

Exit codes:
- 0: everything agrees.
- 1: a value differs.
- 2: the input is not a proof.
- 3: no published values were given; the output shows the values to compare.
- 4: the cards agree, but the moves were not replayed.

The verifier recomputes each field of a proof, or lists the field in the output as not covered. It deals the cards
itself from a description: the game's own in this package, or the file of `--dealing`. Moves and result are recomputed
with the rules of the engine at `--engine`.

A valid proof shows that the server seed was fixed before the players gave their seeds, and that the cards follow from
all seeds. It does not show that the operator never looked at the cards (docs/fairness.md).
"""

from .agreement import errors, errors_after, first_dealer, same
from .command import check, check_file, check_text, dealing_file, hexadecimal, main, published_by, seat_and_seed
from .dealing import Dealing, dealt, known_dealing
from .examination import AGREES, CARDS_ONLY, NOTHING_TO_COMPARE, UNREADABLE, WRONG, Published, Report, examine
from .form import read_proof
from .rules import EngineRules, RefusedMoveError, Rules
from .sentences import Sentence, UnreadableError, say, translated
from .shuffling import commitment, deal_seed, shuffled

__all__ = [
    "AGREES",
    "CARDS_ONLY",
    "NOTHING_TO_COMPARE",
    "UNREADABLE",
    "WRONG",
    "Dealing",
    "EngineRules",
    "Published",
    "RefusedMoveError",
    "Report",
    "Rules",
    "Sentence",
    "UnreadableError",
    "check",
    "check_file",
    "check_text",
    "commitment",
    "deal_seed",
    "dealing_file",
    "dealt",
    "errors",
    "errors_after",
    "examine",
    "first_dealer",
    "hexadecimal",
    "known_dealing",
    "main",
    "published_by",
    "read_proof",
    "same",
    "say",
    "seat_and_seed",
    "shuffled",
    "translated",
]
