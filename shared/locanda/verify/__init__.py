"""The verifier: checks from the proof of a finished deal that it was dealt from the seed committed to before.

Stand-alone: this folder needs only Python's standard library, and shares no code with the engine. Download a proof from
`GET /v1/tables/{table}/deals/{n}` and run `make verify`, `locanda-verify`, or `python3` on this folder:

    locanda-verify proof.json --commitment 64HEX --client-seed 0=TEXT

The commitment is the one that the table showed before the deal, the client seed the one that was given for a seat.
Anyone who makes a proof can choose the seeds in it, so a proof that is compared with nothing published before proves
nothing: then the exit code is 3, and what is to be compared is printed. It is 0 if everything agrees, 1 where something
does not, 2 for what is no proof, and 4 where the cards agree but nobody played the moves again.

Every field of a proof is recomputed, or named in the output as not covered. The cards are dealt from a description,
which the verifier carries out itself: that of a game of this package, or another that `--dealing` names. Moves and
result are recomputed by the rules of an engine that `--engine` names.

A valid proof proves that the server seed was fixed before the players gave theirs, and that the cards follow from all
of them. It does not prove that the operator of the engine did not look at the cards (docs/fairness.md).
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
