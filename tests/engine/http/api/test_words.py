"""Human-readable texts in responses: `words=true` adds them to tables, games and problems."""

from collections.abc import Iterator
from contextlib import aclosing
from itertools import product
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from locanda.client import EngineClient, transport
from locanda.errors import EngineError
from locanda.games.rules import GAMES
from locanda.messages import GameDetails, JsonObject, Table
from locanda.texts.words import table_words
from services.engine import catalogue
from services.engine.table import fairness
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.sampling import sampled

ITALIAN = {"Accept-Language": "it-IT,it;q=0.9"}
SEATS = {"gatto_rosso": 3, "ramino": 3, "diavoletto": 2, "presidente": 4}
HOSTILE = '<img src=x onerror=alert(1)> & "{name}"'


def without_words(body: Any) -> Any:
    """Return a response without its human-readable texts."""
    if isinstance(body, dict):
        return {key: without_words(part) for key, part in body.items() if key not in ("words", "text")}
    return [without_words(part) for part in body] if isinstance(body, list) else body


def sentences(words: Any) -> Iterator[str]:
    """Yield every human-readable text of a response."""
    match words:
        case str():
            yield words
        case dict():
            for part in words.values():
                yield from sentences(part)
        case list():
            for part in words:
                yield from sentences(part)


async def test_a_table_is_the_same_with_words_and_without(playing: SeatedPlayers) -> None:
    for path in ("", "/moves", "/events"):
        token, page = playing.tokens[0], {"Accept": "application/json"}
        plain = await playing.engine.get(playing.path + path, token=token, headers=page)
        worded = await playing.engine.get(f"{playing.path}{path}?words=true", token=token, headers=page | ITALIAN)
        assert "words" not in plain.body.decode()
        assert "Content-Language" not in plain.headers
        assert '"words":{"language":"it"' in worded.body.decode()
        assert worded.headers["Content-Language"] == "it"
        assert "Accept-Language" in worded.headers["Vary"]
        assert without_words(worded.json) == plain.json


async def test_words_false_is_as_no_words(playing: SeatedPlayers) -> None:
    plain = await playing.engine.get(playing.path)
    assert (await playing.engine.get(f"{playing.path}?words=false")).body == plain.body


@pytest.mark.parametrize("query", ["words=maybe", "words=", "words=true&words=true", "word=true"])
async def test_a_wrong_parameter_is_named(playing: SeatedPlayers, query: str) -> None:
    for path in (f"{playing.path}?{query}", f"{playing.path}/moves?{query}", f"/v1/games/ramino?{query}"):
        refused = await playing.engine.get(path, token=playing.tokens[0] if "tables" in path else None)
        assert (refused.status, refused.code) == (400, "malformed")
        assert refused.json["field"] in ("words", "word")


async def test_a_call_without_words_refuses_the_parameter(playing: SeatedPlayers) -> None:
    refused = await playing.engine.get("/v1/tables?words=true")
    assert (refused.code, refused.json["field"]) == ("malformed", "words")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "game"),
    [case for turn, game in enumerate(GAMES) for case in sampled(product(("it", "en"), (game,)), 2, turn)],
)
async def test_a_whole_match_is_told_in_words(engine: RunningEngine, game: str, language: str) -> None:
    players = await seat_players(engine, SEATS[game], game=game)
    headers = {"Accept-Language": language}
    table = (await engine.post(f"{players.path}/start?words=true", token=players.tokens[0], headers=headers)).json
    while table["status"] != "over":
        turn = table["deal"]["turn"]
        seen = (await engine.get(f"{players.path}?words=true", token=players.tokens[turn], headers=headers)).json
        _check(seen, language)
        assert seen["words"]["turn"].startswith({"it": "Tocca a te.", "en": "Your turn."}[language])
        assert len(set(seen["words"]["moves"])) == len(seen["moves"]) > 0
        move = {"move": seen["moves"][-1]}
        path = f"{players.path}/moves?words=true"
        played = await engine.post(path, move, token=players.tokens[turn], headers=headers)
        table = played.json["table"]
        _check(table, language)
        assert any(table["words"]["events"])
    assert table["words"]["result"][0]
    assert len(table["words"]["result"]) == 1 + SEATS[game]
    assert table["words"]["ending"]
    assert table["words"]["turn"] == ""


def _check(table: JsonObject, language: str) -> None:
    """Check those human-readable texts that are present at any moment of a match."""
    words = table["words"]
    assert words["language"] == language
    assert len(words["events"]) == len(table["events"])
    assert len(words["moves"]) == len(table["moves"])
    assert len(words["seats"]) == len(words["score"]) == len(table["seats"])
    assert not [text for text in sentences(words) if "{" in text or "None" in text]


async def test_others_are_told_whose_turn_it_is(playing: SeatedPlayers) -> None:
    turn = await playing.turn()
    seen = await playing.engine.get(f"{playing.path}?words=true", headers=ITALIAN)
    assert seen.json["words"]["turn"] == f"È il turno di {seen.json['seats'][turn]['name']}"
    assert seen.json["words"]["moves"] == []


async def test_a_table_that_all_have_left_in_play_is_said_to_be_closed_by_name(playing: SeatedPlayers) -> None:
    seen = (await playing.engine.get(f"{playing.path}?words=true")).json
    assert seen["words"]["result"] == []
    for seat, token in enumerate(playing.tokens):
        path = f"{playing.path}/seats/{seat}?words=true"
        seen = (await playing.engine.ask("DELETE", path, token=token)).json
    assert (seen["status"], seen["host"]) == ("playing", None)
    name = seen["seats"][-1]["name"]
    assert seen["words"]["result"] == [f"The table is closed: {name} was the last to get up."]


async def test_a_stream_has_words(playing: SeatedPlayers) -> None:
    url = playing.engine.url(f"{playing.path}/events?words=true")
    headers = ITALIAN | {"Accept": "text/event-stream", "Authorization": f"Bearer {playing.tokens[0]}"}
    async with playing.engine.session.get(url, headers=headers) as answer:
        assert answer.headers["Content-Language"] == "it"
        events = transport.parse_events(answer.content)
        first = msgspec.json.decode((await anext(events)).data)
        assert first["words"]["title"] == ""
        played = await playing.play()
        then = msgspec.json.decode((await anext(events)).data)
        assert then["version"] == played.json["table"]["version"]
        assert " cala " in then["words"]["events"][0]


async def test_opening_and_sitting_down_answer_in_words(engine: RunningEngine) -> None:
    opened = await engine.post("/v1/tables?words=true", {"game": "presidente", "name": "Anna"}, headers=ITALIAN)
    assert opened.status == 201
    path = opened.headers["Location"]
    sat = await engine.post(f"{path}/seats?words=true", {"name": "Bruno"}, headers=ITALIAN)
    assert sat.json["table"]["words"]["events"] == ["Bruno si siede"]
    assert len(sat.json["token"]) == 43
    changed = await engine.ask(
        "PATCH", f"{path}?words=true", {"options": {"joker": True}}, token=opened.json["token"], headers=ITALIAN
    )
    assert changed.json["words"]["options"] == ["Jolly"]


async def test_a_repetition_in_words_is_the_same_request(playing: SeatedPlayers) -> None:
    key = {"Idempotency-Key": "one"}
    first = await playing.play(headers=key)
    move = {"move": {"type": "play", "card": first.json["events"][0]["card"]}}
    token = playing.tokens[first.json["events"][0]["seat"]]
    again = await playing.engine.post(f"{playing.path}/moves?words=true", move, token=token, headers=key | ITALIAN)
    assert again.status == 200
    assert without_words(again.json) == first.json


async def test_refusals_are_sentences(playing: SeatedPlayers) -> None:
    engine, turn = playing.engine, await playing.turn()
    held = (await playing.see(turn))["deal"]["hand"]
    other = next(card for card in ("Ah", "7s", "Kd", "2c", "Jc") if card not in held)
    foreign = {"move": {"type": "play", "card": other}}
    for path, status in (("/moves", 422), ("/moves/check", 200)):
        refused = await engine.post(
            f"{playing.path}{path}?words=true", foreign, token=playing.tokens[turn], headers=ITALIAN
        )
        assert refused.status == status
        assert refused.json["code"] == "not_in_hand"
        assert refused.json["text"].endswith(" non ce l'hai in mano.")
    legal = {"move": {"type": "play", "card": held[0]}}
    late = await engine.post(f"{playing.path}/moves?words=true", legal, token=playing.tokens[turn - 1], headers=ITALIAN)
    name = (await playing.see())["seats"][turn]["name"]
    assert late.json["text"] == f"Non tocca ancora a te: è il turno di {name}."
    passing = await engine.post(f"{playing.path}/moves/check?words=true", legal, token=playing.tokens[turn])
    assert passing.json == {"legal": True}


async def test_problems_without_a_table_are_sentences(engine: RunningEngine) -> None:
    gone = await engine.get(f"/v1/tables/{'x' * 22}?words=true", headers=ITALIAN)
    assert (gone.status, gone.json["text"]) == (404, f"{gone.json['title']}.")
    assert "text" not in (await engine.get(f"/v1/tables/{'x' * 22}", headers=ITALIAN)).json


@pytest.mark.parametrize("game", GAMES)
async def test_the_stateless_calls_have_words(engine: RunningEngine, game: str) -> None:
    path, seed = f"/v1/games/{game}", {"seats": SEATS[game], "seed": "ab" * 32}
    deal = (await engine.post(f"{path}/deals", seed)).json["deal"]
    seat, names = deal["turn"], ["Anna", HOSTILE[:32]]
    for call in ("moves", "check", "play", "view"):
        legal = (await engine.post(f"{path}/moves", {"deal": deal})).json["moves"]
        body = {"moves": {}, "view": {"seat": seat}}.get(call, {"move": legal[0]}) | {"deal": deal}
        plain = await engine.post(f"{path}/{call}", body)
        worded = await engine.post(f"{path}/{call}?words=true", body, headers=ITALIAN)
        assert without_words(worded.json) == plain.json
        assert call == "check" or worded.json["words"]["language"] == "it"
    viewed = await engine.post(f"{path}/view?words=true", {"deal": deal, "seat": None, "names": names}, headers=ITALIAN)
    assert viewed.json["words"]["turn"] == f"È il turno di {[*names, 'Posto 3', 'Posto 4'][seat]}"
    assert len(viewed.json["words"]["seats"]) == SEATS[game]
    answer: JsonObject = {"result": None}
    while answer["result"] is None:
        moves = (await engine.post(f"{path}/moves?words=true", {"deal": deal})).json
        assert len(set(moves["words"]["moves"])) == len(moves["moves"])
        answer = (await engine.post(f"{path}/play?words=true", {"deal": deal, "move": moves["moves"][-1]})).json
        assert len(answer["words"]["events"]) == len(answer["events"])
        deal = answer["deal"]
    assert len(answer["words"]["result"]) == SEATS[game]
    assert "Seat 1" in " ".join(answer["words"]["result"])


async def test_refusals_of_the_stateless_calls_are_sentences(engine: RunningEngine) -> None:
    deal = {"game": "gatto_rosso", "hands": [["4h", "2c"], ["3d"]], "table": ["5h"], "last": 1, "turn": 0}
    for call, status in (("play", 422), ("check", 200)):
        body = {"deal": deal, "move": {"type": "play", "card": "4h"}}
        refused = await engine.post(f"/v1/games/gatto_rosso/{call}?words=true", body)
        assert refused.status == status
        assert refused.json["text"].startswith("4♥ does not beat 5♥.")


async def test_hints_and_reviews_name_moves(engine: RunningEngine, inline: None) -> None:
    players = await seat_players(engine, 2, hints=True, options={"deals": 1})
    await players.start()
    turn = await players.turn()
    token = players.tokens[turn]
    plain = await engine.post(f"{players.path}/hint", token=token, headers=ITALIAN)
    hinted = await engine.post(f"{players.path}/hint?words=true", token=token, headers=ITALIAN)
    assert hinted.json.keys() - plain.json.keys() == {"text"}
    seen = (await engine.get(f"{players.path}?words=true", token=token)).json
    assert hinted.json["text"] == seen["words"]["moves"][seen["moves"].index(hinted.json["move"])]
    suggest = {"view": seen["deal"], "level": "easy"}
    suggested = await engine.post("/v1/games/gatto_rosso/suggest?words=true", suggest)
    assert suggested.json["text"] in seen["words"]["moves"]
    await players.play_out()
    reviewed = await engine.get(f"{players.path}/deals/1/review?words=true", token=token, headers=ITALIAN)
    assert {move["words"]["language"] for move in reviewed.json["moves"]} == {"it"}
    assert all(move["words"]["played"] for move in reviewed.json["moves"])
    assert "words" not in (await engine.get(f"{players.path}/deals/1/review", token=token)).body.decode()


async def test_the_client_asks_for_words(playing: SeatedPlayers) -> None:
    turn = await playing.turn()
    token = playing.tokens[turn]
    client = EngineClient(playing.engine.url(""), playing.engine.session, language="it", words=True)
    table = await client.table(playing.table, token)
    assert table.words is not UNSET
    assert table.words.turn.startswith("Tocca a te.")
    with pytest.raises(EngineError) as refused:
        await client.play(playing.table, playing.tokens[turn - 1], table.moves[0])
    assert refused.value.problem.text.startswith("Non tocca ancora a te")
    moved = await client.play(playing.table, token, table.moves[0], version=table.version)
    assert moved.table.words is not UNSET
    assert (await client.moves(playing.table, token)).words is not UNSET
    assert (await client.event_page(playing.table, token)).events[-1].table.words is not UNSET
    assert (await client.game("ramino")).words is not UNSET
    async with aclosing(client.events(playing.table, token)) as events:
        assert (await anext(events)).table.words == moved.table.words


async def test_names_in_sentences_are_plain_text(engine: RunningEngine) -> None:
    players = await seat_players(engine, 2, name=HOSTILE[:32])
    await players.start()
    seen = await engine.get(f"{players.path}?words=true")
    text = " ".join(sentences(seen.json["words"]))
    assert HOSTILE[:32] in text


def test_a_name_with_braces_is_no_placeholder() -> None:
    seat: JsonObject = {"seat": 0, "name": "{card}{0}%s", "kind": "person", "level": None, "away": False}
    sat = {"type": "sat", "seat": 0, "name": seat["name"], "kind": "person"}
    example = msgspec.json.decode(_open_table(seat, sat), type=Table)
    words = table_words(example, catalogue.details("gatto_rosso"), "en")
    assert words.events == ["{card}{0}%s sits down"]


def _open_table(seat: JsonObject, event: JsonObject) -> bytes:
    match = {"number": 1, "deal": 0, "points": [0], "commitment": "0" * 64}
    nothing = dict.fromkeys(("result", "server_seed", "next_commitment"))
    table: JsonObject = {
        "id": "x" * 22,
        "game": "gatto_rosso",
        "rules": 1,
        "options": {},
        "status": "open",
        "version": 1,
    }
    table |= {"host": 0, "you": None, "listed": False, "seats": [seat], "match": match | nothing, "deal": None}
    return msgspec.json.encode(table | {"turn_seconds": None, "deadline": None, "moves": [], "events": [event]})


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_has_words_for_every_card_and_pile(engine: RunningEngine, game: str) -> None:
    english = (await engine.get(f"/v1/games/{game}?words=true")).json["words"]
    italian = await engine.get(f"/v1/games/{game}?words=true", headers=ITALIAN)
    assert without_words(italian.json) == (await engine.get(f"/v1/games/{game}")).json
    there = msgspec.convert(italian.json, GameDetails).words
    assert there is not UNSET
    assert (english["language"], there.language) == ("en", "it")
    assert english["labels"].keys() == there.labels.keys()
    assert {*english["cards"]} == {*there.cards} >= _dealt(game)
    names = [card.name for card in there.cards.values()]
    assert len(set(names)) == len(names)
    assert [preset.title for preset in there.presets] == ["Veloce", "Classica", "Lunga"]
    assert there.levels == {"easy": "facile", "medium": "medio", "hard": "difficile"}


def _dealt(game: str) -> set[str]:
    """Return the cards of a deal that are in hands or lie face down."""
    rules = GAMES[game]
    deal: Any = rules.to_wire(rules.deal(rules.options(), min(rules.players), 0, bytes(32), fairness.shuffle, None))
    cards = {card for hand in deal.hands for card in hand}
    return cards | {*getattr(deal, "stock", ())}
