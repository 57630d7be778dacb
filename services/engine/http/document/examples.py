"""Examples of all messages, taken from short matches that this module plays with fixed ids and secrets."""

from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw, Struct

from locanda import messages
from locanda.explanations import BEST_IN_PLAY_OUTS
from locanda.games.game import AnyDealState, AnyGame
from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from locanda.texts.remarks import all_remarks
from locanda.translations import translations_in
from services.engine import catalogue, lessons, rehearsal
from services.engine.http.document.schemas import of_game
from services.engine.http.problems.types import PROBLEM_TYPES
from services.engine.rehearsal import SECRET, STARTED, TABLE_ID, first_move
from services.engine.service import queries as proofs
from services.engine.table import fairness
from services.engine.table.state import AnyTable, DealStart, turn_of
from services.engine.table.view import listing, view

Labelled: TypeAlias = dict[str, Struct]

PUSH_ENDPOINT = "https://updates.push.services.mozilla.com/wpush/v2/example"
PUSH_PUBLIC = "BEV4YW1wbGU" + "x" * 76
PUSH_SECRET = "exampleSecretOfABrowse"  # noqa: S105  (an example)
SUBSCRIPTION_ID = "exampleSubscriptionABC"
NOTICE_ID = f"{SUBSCRIPTION_ID}.t1800000000000"
WEBHOOK_SECRET = "whsec_bm9ib2R5IGV2ZXIgZ3Vlc3NlcyB0aGlzIHNlY3JldA=="  # noqa: S105  (an example)
TOKEN = "exampleTokenExampleTokenExampleTokenExample"  # noqa: S105  (an example)
CURSOR = "MTgwMDAwMDAwMDAwMDAwMCBleGFtcGxlVGFibGVFeGFtcGxlQUJD"
EVENING = datetime(2026, 2, 5, 20, 0, tzinfo=UTC)
EXAMPLE_GAME = GAME_NAMES[0]
"""The game of those examples that need only a single game."""

SELECTED = messages.Selection([messages.SelectedCard("hand", "7h")])
EXAMPLE_REASON = messages.MoveReason(BEST_IN_PLAY_OUTS.code, str(BEST_IN_PLAY_OUTS.sentence))


@cache
def examples() -> dict[str, dict[str, Any]]:
    """Return the examples of all schemas as JSON, by schema and label. The label is the game's name if games differ."""
    examples_by_schema: dict[str, dict[str, Any]] = {}
    for name, labelled in (_requests() | _of_tables() | _of_catalogue()).items():
        examples_by_schema[name] = {label: _json(example) for label, example in labelled.items()}
    for game in GAMES.values():
        for example in _of_rules(game):
            examples_by_schema[of_game(type(example).__name__, game.name)] = {game.name: _json(example)}
    examples_by_schema["ProblemDescription"], examples_by_schema["ProblemDescriptions"] = _of_problems()
    health = {word: {"status": word} for word in ("alive", "ready")}
    lobby = {"event": "lobby", "data": msgspec.json.encode(examples_by_schema["LobbyNow"]["lobby"]).decode()}
    streamed = {"change": _streamed(examples_by_schema["EventPage"]["page"]["events"][0])}
    return examples_by_schema | {"StreamedEvent": streamed, "StreamedLobby": {"lobby": lobby}, "Health": health}


def _of_problems() -> tuple[dict[str, Any], dict[str, Any]]:
    type_ = PROBLEM_TYPES["stale"]
    described = _json(messages.ProblemDescription(type_.code, type_.status, *type_.texts("en")))
    return {"stale": described}, {"problems": {"problems": [described]}}


def _json(example: Struct) -> Any:  # noqa: ANN401  (JSON of any shape)
    return msgspec.json.decode(msgspec.json.encode(example))


def _options(game: AnyGame) -> messages.GivenOptions:
    values: messages.GivenOptions = msgspec.to_builtins(rehearsal.options_of(game))
    return values


def _requests() -> dict[str, Labelled]:
    return {
        "OpenTable": {
            name: messages.OpenTable(messages.GameName(name), "Anna", _options(game), turn_seconds=60, listed=True)
            for name, game in GAMES.items()
        },
        "ChangeTable": {"change": messages.ChangeTable(options={"pass_lock": True}, turn_seconds=None, hints=True)},
        "SitDown": {
            "person": messages.SitDown("Bruno", client_seed="seven tame geese"),
            "computer": messages.SitDown("Carla", "computer", "hard"),
        },
        "SetLevel": {"hard": messages.SetLevel("hard")},
        "SetName": {"name": messages.SetName("Annamaria")},
        "AnswerRematch": {"stays": messages.AnswerRematch(stays=True, client_seed="eight tame geese")},
        "MakeRemark": {"remark": messages.MakeRemark("well_played")},
        "Subscribe": {
            "server": messages.Subscribe("https://bot.example.org/locanda", types=("turn", "over")),
            "browser": messages.Subscribe(browser=_browser(), language="it"),
        },
        "SetEvening": {"evening": messages.SetEvening(EXAMPLE_GAME, EVENING)},
        "GiveSeed": {"seed": messages.GiveSeed("seven tame geese")},
        "PlayMove": {name: messages.PlayMove(_raw(first_move(table))) for name, table in STARTED.items()},
        "CheckMove": {
            **{name: messages.CheckMove(_raw(first_move(table))) for name, table in STARTED.items()},
            "selection": messages.CheckMove(selection=SELECTED),
        },
        "RoundsRequest": {"rounds": messages.RoundsRequest([*range(1, 10)], 2, most=5, seed="Thursday")},
        "RoundsAnswer": {"rounds": messages.RoundsAnswer([[[1, 4, 7], [2, 5, 8], [3, 6, 9]]], 0)},
        "Verdict": {
            "legal": messages.Verdict(legal=True),
            "refused": messages.Verdict(legal=False, code="must_beat", facts={"card": "2h", "top": "7h"}),
        },
    }


def _raw(move: Struct) -> Raw:
    return Raw(msgspec.json.encode(move))


def _of_rules(game: AnyGame) -> list[Struct]:
    options = rehearsal.options_of(game)
    seats = min(game.seats(options))
    deal = rehearsal.dealt(game)
    move, record = game.moves(deal)[0], game.to_wire(deal)
    then, events = game.play(deal, move, fairness.shuffle)
    return [
        messages.DealRequest(seats, _options(game), dealer=0, seed=SECRET.hex()),
        messages.DealBody(record),
        messages.MoveRequest(record, _raw(move)),
        messages.ViewRequest(record, 1),
        messages.ViewAnswer(game.view(deal, 1)),
        _suggest_request(game, deal),
        messages.Suggestion(msgspec.to_builtins(move), EXAMPLE_REASON, 214, 203),
        messages.PlayAnswer(game.to_wire(then), [msgspec.to_builtins(event) for event in events], game.result(then)),
        messages.PlayoutsRequest(
            [messages.Playout(start=messages.DealRequest(seats, _options(game)), then="random", times=2)],
            seed=SECRET.hex(),
        ),
        messages.PlayoutsAnswer([_playout_end(game, deal)], left=1),
        messages.LegalMoves(deal.turn, [msgspec.to_builtins(legal_move) for legal_move in game.moves(deal)[:2]]),
    ]


def _playout_end(game: AnyGame, deal: AnyDealState) -> messages.PlayoutEnd:
    """Return the end of a deal in which the first legal move is always played."""
    steps = 0
    while deal.turn is not None:
        deal, _ = game.play(deal, game.moves(deal)[0], fairness.shuffle)
        steps += 1
    return messages.PlayoutEnd(playout=0, done=True, steps=steps, turn=None, result=game.result(deal))


def _suggest_request(game: AnyGame, deal: AnyDealState) -> messages.SuggestRequest:
    return messages.SuggestRequest(
        game.view(deal, deal.turn), [], "hard", SECRET.hex(), messages.SearchBudget(iterations=200)
    )


def _of_tables() -> dict[str, Labelled]:
    game = GAMES[EXAMPLE_GAME]
    started, seated = STARTED[EXAMPLE_GAME], rehearsal.seated(game)
    moves = list(rehearsal.played(started))
    moved, made = moves[0].table, [move.made for move in moves]
    moved_view = view(moved, turn_of(moved))
    start = DealStart(game.rules, started.options, started.match, None)
    legal = [msgspec.to_builtins(first_move(started))]
    tables: Labelled = {name: view(table, turn_of(table)) for name, table in STARTED.items()}
    return {
        "Table": tables | {"words": rehearsal.in_words(moved_view)},
        "Seated": {"seated": messages.Seated(view(seated, 0), 0, TOKEN)},
        "Moved": {"moved": messages.Moved(moved_view, list(moved.events))},
        "EventPage": {"page": messages.EventPage([messages.EventItem(moved.version, "change", moved_view)])},
        "Review": {"review": _review(started)},
        "Hint": {"hint": messages.Hint(legal[0], EXAMPLE_REASON, 214)},
        "SaidRemark": {"remark": messages.SaidRemark(1, "well_played")},
        "Subscribed": {"subscribed": messages.Subscribed(_subscription(), WEBHOOK_SECRET)},
        "SubscriptionList": {"subscriptions": messages.SubscriptionList([_subscription()])},
        "WaitingNotice": {"test": messages.WaitingNotice(NOTICE_ID)},
        "DeliveryList": {"test": messages.DeliveryList([messages.Delivery(NOTICE_ID, "test", EVENING, "late")])},
        "NextEvening": {"evening": messages.NextEvening(game.name, EVENING)},
        "WebhookNotice": {
            "turn": messages.WebhookNotice(
                "turn", datetime(2026, 1, 31, 20, 15, tzinfo=UTC), messages.NoticeData(TABLE_ID, 17, game.name, 1, 2, 1)
            )
        },
        "LegalMoves": {"moves": messages.LegalMoves(turn_of(started), legal)},
        "LobbyNow": {"lobby": messages.LobbyNow([listing(seated)], [listing(started)])},
        "TablePage": {"page": messages.TablePage([listing(seated)], CURSOR)},
        "Proof": {"proof": proofs.prove(game, start, made)},
    }


def _browser() -> messages.PushBrowser:
    return messages.PushBrowser(PUSH_ENDPOINT, PUSH_PUBLIC, PUSH_SECRET)


def _subscription() -> messages.TableSubscription:
    return messages.TableSubscription(
        SUBSCRIPTION_ID, "https://bot.example.org/locanda", ["turn", "over"], whole_table=False
    )


def _review(started: AnyTable) -> messages.Review:
    played, turn = msgspec.to_builtins(first_move(started)), turn_of(started)
    move = messages.ReviewedMove(
        0, played, played | {"card": "2d"}, 0.125, EXAMPLE_REASON, GAMES[started.game].view(started.deal, turn)
    )
    return messages.Review([move], [0])


def _of_catalogue() -> dict[str, Labelled]:
    """Return examples about a game. To keep them short, texts are cut and only the first option is kept."""
    whole = catalogue.details(EXAMPLE_GAME)
    options = messages.OptionsSchema(it=_shortened(whole.options.it), en=_shortened(whole.options.en))
    about = messages.Localized(it=_beginning(whole.about.it, ". "), en=_beginning(whole.about.en, ". "))
    rules = messages.Localized(it=_beginning(whole.rules.it, "\n\n"), en=_beginning(whole.rules.en, "\n\n"))
    game = msgspec.structs.replace(whole, options=options, about=about, rules=rules)
    info = messages.GameInfo(**{field: getattr(game, field) for field in messages.GameInfo.__struct_fields__})
    return {
        "Server": {"server": messages.Server("0.1.0", "https://cards.example.org")},
        "Catalogue": {"games": messages.Catalogue([info])},
        "GameDetails": {"game": game},
        "Lesson": {"lesson": _lesson()},
        "RemarkList": {"remarks": messages.RemarkList(all_remarks(translations_in("en"))[:2])},
    }


def _lesson() -> messages.Lesson:
    """Return a lesson that is short: only its first step, with only the first moment of that step."""
    whole = lessons.lesson(EXAMPLE_GAME, "en")
    first = msgspec.structs.replace(whole.steps[0], then=whole.steps[0].then[:1])
    return msgspec.structs.replace(whole, steps=[first])


def _shortened(schema: dict[str, Any]) -> dict[str, Any]:
    name, first = next(iter(schema["properties"].items()))
    return schema | {"properties": {name: first}}


def _beginning(text: str, end: str) -> str:
    return "".join(text.partition(end)[:2]).rstrip(" ")


def _streamed(item: dict[str, Any]) -> dict[str, Any]:
    """Return an event as the fields of a server-sent event, with the table as a string in `data`."""
    data = msgspec.json.encode(item["table"]).decode()
    return {"id": str(item["id"]), "event": item["event"], "data": data}
