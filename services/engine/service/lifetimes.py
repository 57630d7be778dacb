"""How long the service keeps what it stores, in seconds."""

HOUR, DAY = 3600, 86_400

TABLE_SECONDS = {"open": 6 * HOUR, "playing": 14 * DAY, "over": 3 * DAY}
"""Until a table expires after its last transition, by status."""
ANSWER_SECONDS = HOUR
"""How long a repetition of a request is recognized."""
TOKEN_SECONDS = DAY
"""How long where the reply hands out a token."""
