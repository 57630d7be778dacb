"""Plays a match with the client that openapi-python-client has generated, like a user of that client.

    PYTHONPATH=FOLDER python play.py http://127.0.0.1:8080 diavoletto

It prints each move as it is sent, and the status of the table at the end.
"""

import json
import sys
from importlib import import_module
from typing import Any


def part(name: str) -> Any:
    """Return a module of the generated package.

    It is imported at run time, because the package may not be generated yet.
    """
    return import_module(f"locanda_client.{name}")


def model(name: str) -> Any:
    """Return a generated model class."""
    return getattr(part("models"), name)


def checked(answer: Any) -> Any:
    """Return a successful answer. Exits with an error if the answer is a problem."""
    if answer is None or isinstance(answer, model("Problem")):
        raise SystemExit(f"refused: {answer}")
    return answer


def main(url: str, game: str) -> None:
    """Play a match of two people, who make the first move that the engine lists."""

    def client(token: str = "none") -> Any:
        return part("client").AuthenticatedClient(base_url=url, token=token)

    name = "".join(word.capitalize() for word in game.split("_"))
    body = model(f"{name}OpenTable")(game=game, name="Anna")
    opened = checked(part("api.tables.open_table").sync(client=client(), body=body))
    table = opened.table.id
    sitting = part("client").Client(base_url=url)
    sat = checked(part("api.tables.sit").sync(table, client=sitting, body=model("SitDown")(name="Bruno")))
    seats = [client(opened.token), client(sat.token)]
    checked(part("api.play.start").sync(table, client=seats[0]))
    while True:
        seen = checked(part("api.watch.look").sync(table, client=seats[0]))
        if seen.status.value == "over":
            break
        turn = seen.deal.turn
        mine = checked(part("api.watch.look").sync(table, client=seats[turn]))
        legal = checked(part("api.play.table_moves").sync(table, client=seats[turn]))
        move = mine.moves[0]
        assert type(mine).__name__ == f"{name}Table"
        assert legal.moves[0].to_dict() == move.to_dict()
        print(json.dumps(move.to_dict()))
        checked(part("api.play.play").sync(table, client=seats[turn], body=model("PlayMove")(move=move)))
    print("over")


if __name__ == "__main__":
    main(*sys.argv[1:])
