"""What schemathesis cannot know: whose token opens which table, and that nobody else moves while it waits."""

from typing import Any, TypeAlias

import schemathesis
from schemathesis import AuthContext, Case, HookContext, Response

AnyCase: TypeAlias = Case[Any]

LONGEST_WAIT = 0.05

tokens: dict[str, str] = {}
"""The token of the last seat taken at each table."""


@schemathesis.hook
def after_call(context: HookContext, case: AnyCase, response: Response) -> None:
    """Keep the token of a seat."""
    if response.status_code == 201:
        seated = response.json()
        if seated["token"]:
            tokens[seated["table"]["id"]] = seated["token"]


@schemathesis.auth()
class SeatToken:
    """Acts on a table with the token of one of its seats, where there is one."""

    def get(self, case: AnyCase, context: AuthContext) -> str | None:
        return tokens.get(str((case.path_parameters or {}).get("table")))

    def set(self, case: AnyCase, data: str, context: AuthContext) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_call(context: HookContext, case: AnyCase, kwargs: dict[str, Any]) -> None:
    """Cut a long poll short; leave out a header that keeps to no document."""
    wait = str((case.query or {}).get("wait"))
    if wait.replace(".", "", 1).isdecimal() and LONGEST_WAIT < float(wait) <= 86_400:
        case.query["wait"] = LONGEST_WAIT
    # It takes a bare 0 for an example of any header that has a pattern and no shortest length.
    if case.headers.get("If-Match") == "0":
        del case.headers["If-Match"]
