"""Plans the rounds of a tournament in a worker process, since the client determines how long that takes."""

import msgspec

from locanda import messages
from services.common.pairings import by_standing, plan, repetitions, table_sizes

_json = msgspec.json.Encoder()
_requests = msgspec.json.Decoder(messages.RoundsRequest)
question = _json.encode
"""Encodes a request for a worker."""
read_answer = msgspec.json.Decoder(messages.RoundsAnswer).decode
"""Decodes a worker's answer."""


def answer(data: bytes) -> bytes:
    """Return the encoded answer to an encoded request. Runs in a worker."""
    request = _requests.decode(data)
    sizes = table_sizes(len(request.people), request.fewest, request.most, request.wanted)
    before = [tuple(map(tuple, tables)) for tables in request.played]
    if request.standing:
        planned = [by_standing(request.standing, sizes)]
    else:
        planned = plan(request.people, sizes, request.rounds, before, request.seed)
    rounds = [[list(table) for table in tables] for tables in planned]
    return _json.encode(messages.RoundsAnswer(rounds, repetitions([*before, *planned])))
