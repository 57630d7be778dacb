"""Launch data of the Mini App, signed as Telegram signs them."""

import json
from urllib.parse import urlencode

from services.telegram.mini_app.requests import signature
from tests.emulator import Person


def launch_data(person: Person, token: str, *, at: float, start: str | None = None) -> str:
    """Return launch data of a person, signed at a Unix time; `start` is the parameter of the link."""
    user = {
        "id": person.id,
        "first_name": person.name,
        "language_code": person.user.language,
        "allows_write_to_pm": True,
    }
    fields = {
        "query_id": "AAHdF6IQAAAAAN0XohDhrOrc",
        "user": json.dumps(user),
        "auth_date": str(int(at)),
        "signature": "c2lnbmF0dXJl",
    }
    if start is not None:
        fields |= {"start_param": start, "chat_type": "supergroup", "chat_instance": "-12345"}
    return urlencode({**fields, "hash": signature(fields, token)})
