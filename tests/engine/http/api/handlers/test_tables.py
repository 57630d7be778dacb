"""Opening, joining, playing and leaving a table over HTTP."""

from typing import Any

import pytest
from msgspec import structs

from services.engine.service import lobby
from services.engine.store import listing
from services.engine.table import rematch
from tests.engine.http.engine_server import (
    NO_LIMITS,
    RunningEngine,
    SeatedPlayers,
    running_engine,
    seat_players,
)
from tests.redis_server import empty_database


async def test_opening_answers_with_the_tables_path_and_the_hosts_token(engine: RunningEngine) -> None:
    answer = await engine.post("/v1/tables", {"game": "gatto_rosso", "name": "Anna", "turn_seconds": 60})
    assert answer.status == 201
    assert answer.headers["Location"] == f"/v1/tables/{answer.json['table']['id']}"
    assert answer.headers["ETag"] == '"1"'
    assert (answer.json["seat"], answer.json["table"]["you"]) == (0, 0)
    assert len(answer.json["token"]) == 43


async def test_a_match_is_played_to_its_end_and_proved(playing: SeatedPlayers) -> None:
    over = await playing.play_out()
    assert over["match"]["result"]["ranking"]
    proof = (await playing.engine.get(f"{playing.path}/deals/1")).json
    assert proof["commitment"] == over["match"]["commitment"]
    assert proof["result"]["points"] == over["match"]["points"]


async def test_a_rematch_keeps_seats_and_tokens(playing: SeatedPlayers) -> None:
    await playing.play_out()
    again = await playing.start()
    assert (again["status"], again["match"]["number"]) == ("playing", 2)
    assert (await playing.play()).status == 200


async def test_a_proof_waits_for_the_match_to_end(playing: SeatedPlayers) -> None:
    assert (await playing.engine.get(f"{playing.path}/deals/1")).code == "match_not_over"


async def test_a_deal_that_never_was_is_not_found(playing: SeatedPlayers) -> None:
    await playing.play_out()
    for deal in ("0", "2", "-1", "x", "999999999999", "1?match=9"):
        answer = await playing.engine.get(f"{playing.path}/deals/{deal}")
        assert (answer.status, answer.code) == (404, "no_such_deal"), deal


async def test_legal_moves_are_the_bearers(playing: SeatedPlayers) -> None:
    turn = await playing.turn()
    for seat in range(3):
        answer = await playing.engine.get(f"{playing.path}/moves", token=playing.tokens[seat])
        assert answer.json["turn"] == turn
        assert bool(answer.json["moves"]) == (seat == turn)


async def test_a_check_gives_the_reason_and_changes_nothing(playing: SeatedPlayers) -> None:
    turn = await playing.turn()
    before = await playing.see()
    ask = f"{playing.path}/moves/check"
    own, other = playing.tokens[turn], playing.tokens[turn - 1]
    refused = await playing.engine.post(ask, {"move": {"type": "pass"}}, token=own)
    assert refused.json == {"legal": False, "code": "must_lead", "facts": {}}
    waits = await playing.engine.post(ask, {"move": {"type": "pass"}}, token=other)
    assert waits.json == {"legal": False, "code": "not_your_turn", "facts": {"turn": turn}}
    no_move = await playing.engine.post(ask, {"move": {"type": "play", "card": "1x"}}, token=own)
    assert (no_move.status, no_move.code, no_move.json["field"]) == (400, "malformed", "move.card")
    of_another_game = await playing.engine.post(ask, {"move": {"type": "discard", "card": "XV"}}, token=own)
    assert (of_another_game.status, of_another_game.code) == (422, "impossible")
    assert await playing.see() == before


async def test_a_check_of_selected_cards_names_the_move_that_they_make_or_says_why_they_make_none(
    playing: SeatedPlayers,
) -> None:
    turn = await playing.turn()
    ask, token = f"{playing.path}/moves/check", playing.tokens[turn]
    held = (await playing.engine.get(playing.path, token=token)).json["deal"]["hand"]
    chosen = [{"from": "hand", "card": held[0]}]
    legal = await playing.engine.post(ask, {"selection": {"cards": chosen}}, token=token)
    assert legal.json == {"legal": True, "meant": {"type": "play", "card": held[0]}, "others": []}
    refused = await playing.engine.post(f"{ask}?words=true", {"selection": {"cards": []}}, token=token)
    assert (refused.json["code"], refused.json["meant"]) == ("must_lead", {"type": "pass"})
    assert refused.json["text"]
    two = await playing.engine.post(ask, {"selection": {"cards": chosen * 2}}, token=token)
    assert (two.status, two.code, two.json["field"]) == (422, "impossible", "selection")
    both = await playing.engine.post(ask, {"move": {"type": "pass"}, "selection": {"cards": []}}, token=token)
    assert (both.status, both.code, both.json["field"]) == (400, "malformed", "move")


async def test_each_listed_move_says_which_cards_it_takes_where_words_are_asked_for(playing: SeatedPlayers) -> None:
    token = playing.tokens[await playing.turn()]
    legal = (await playing.engine.get(f"{playing.path}/moves?words=true", token=token)).json
    assert [take["to"] for take in legal["words"]["takes"]] == [None] * len(legal["moves"])
    taken = [[card["card"] for card in take["cards"]] for take in legal["words"]["takes"]]
    assert taken == [[move["card"]] for move in legal["moves"]]
    shown = (await playing.engine.get(f"{playing.path}?words=true", token=token)).json
    assert shown["words"]["takes"] == legal["words"]["takes"]


async def test_the_host_changes_an_open_table(players: SeatedPlayers) -> None:
    body = {"options": {"cats": True}, "turn_seconds": 30}
    answer = await players.engine.ask("PATCH", players.path, body, token=players.tokens[0])
    assert (answer.status, answer.json["options"], answer.json["turn_seconds"]) == (200, {"cats": True}, 30)
    kept = await players.engine.ask("PATCH", players.path, {"turn_seconds": None}, token=players.tokens[0])
    assert (kept.json["options"], kept.json["turn_seconds"]) == ({"cats": True}, None)


async def test_options_for_fewer_players_are_refused(players: SeatedPlayers) -> None:
    body = {"options": {"three_suits": "s"}}
    answer = await players.engine.ask("PATCH", players.path, body, token=players.tokens[0])
    assert (answer.status, answer.code) == (409, "too_many_players")
    assert answer.json["facts"] == {"seats": 3, "most": 2}


async def test_a_full_table_refuses_more_players(engine: RunningEngine) -> None:
    players = await seat_players(engine, 2, options={"three_suits": "s"})
    assert (await players.see())["max_seats"] == 2
    assert (await engine.post(f"{players.path}/seats", {"name": "Dario"})).code == "table_full"


async def test_a_table_for_one_does_not_start(engine: RunningEngine) -> None:
    players = await seat_players(engine, 1)
    answer = await engine.post(f"{players.path}/start", token=players.tokens[0])
    assert (answer.status, answer.code) == (409, "too_few_players")


async def test_the_host_seats_a_computer_player_which_has_no_token(players: SeatedPlayers) -> None:
    body = {"name": "Gatto", "kind": "computer"}
    answer = await players.engine.post(f"{players.path}/seats", body, token=players.tokens[0])
    assert (answer.status, answer.json["seat"], answer.json["token"]) == (201, 3, None)
    assert answer.json["table"]["you"] == 0


async def test_only_the_host_seats_a_computer_player(players: SeatedPlayers) -> None:
    body = {"name": "Gatto", "kind": "computer"}
    for token in (players.tokens[1], None):
        answer = await players.engine.post(f"{players.path}/seats", body, token=token)
        assert (answer.status, answer.code) == (403, "not_host")


async def test_a_computer_player_is_of_level_medium_until_the_host_says_otherwise(players: SeatedPlayers) -> None:
    body = {"name": "Gatto", "kind": "computer"}
    sat = await players.engine.post(f"{players.path}/seats", body, token=players.tokens[0])
    assert sat.json["table"]["seats"][3]["level"] == "medium"
    path = f"{players.path}/seats/3"
    changed = await players.engine.ask("PATCH", path, {"level": "hard"}, token=players.tokens[0])
    assert (changed.status, changed.json["seats"][3]["level"]) == (200, "hard")
    refused = await players.engine.ask("PATCH", path, {"level": "easy"}, token=players.tokens[1])
    assert (refused.status, refused.code) == (403, "not_host")


async def test_the_host_says_how_well_substitutes_play_and_whether_there_are_hints(engine: RunningEngine) -> None:
    players = await seat_players(engine, substitute_level="easy")
    seen = await players.see()
    assert (seen["substitute_level"], seen["hints"]) == ("easy", False)
    changed = await engine.ask("PATCH", players.path, {"hints": True}, token=players.tokens[0])
    assert (changed.json["substitute_level"], changed.json["hints"]) == ("easy", True)


async def test_a_person_has_no_level(players: SeatedPlayers) -> None:
    answer = await players.engine.post(f"{players.path}/seats", {"name": "Dario", "level": "plain"})
    assert (answer.status, answer.code, answer.json["field"]) == (422, "impossible", "level")


async def test_who_leaves_takes_his_token_with_him(players: SeatedPlayers) -> None:
    gone = players.tokens[1]
    answer = await players.engine.ask("DELETE", f"{players.path}/seats/1", token=gone)
    assert (answer.status, len(answer.json["seats"]), answer.json["you"]) == (200, 2, None)
    assert (await players.engine.get(players.path, token=gone)).code == "wrong_token"


async def test_the_host_removes_somebody_and_others_may_not(players: SeatedPlayers) -> None:
    answer = await players.engine.ask("DELETE", f"{players.path}/seats/2", token=players.tokens[1])
    assert (answer.status, answer.code) == (403, "not_your_seat")
    answer = await players.engine.ask("DELETE", f"{players.path}/seats/2", token=players.tokens[0])
    assert (answer.status, answer.json["you"]) == (200, 0)


@pytest.mark.parametrize("seat", ["3", "9", "10", "-1", "x", "01", "99999999999999999999"])
async def test_a_seat_that_is_not_there_is_not_found(players: SeatedPlayers, seat: str) -> None:
    answer = await players.engine.ask("DELETE", f"{players.path}/seats/{seat}", token=players.tokens[0])
    assert (answer.status, answer.code) == (404, "no_such_seat")


async def test_a_seat_gives_its_own_share_in_the_shuffle(players: SeatedPlayers) -> None:
    path, body = f"{players.path}/seats/1/seed", {"client_seed": "sette oche"}
    assert (await players.engine.ask("PUT", path, body, token=players.tokens[1])).status == 200
    assert (await players.engine.ask("PUT", path, body, token=players.tokens[2])).code == "not_your_seat"
    await players.start()
    assert (await players.engine.ask("PUT", path, body, token=players.tokens[1])).code == "already_playing"
    await players.play_out()
    proof = (await players.engine.get(f"{players.path}/deals/1")).json
    assert proof["client_seeds"][1] == "sette oche"


async def test_who_is_not_away_cannot_come_back(playing: SeatedPlayers) -> None:
    answer = await playing.engine.post(f"{playing.path}/seats/1/return", token=playing.tokens[1])
    assert (answer.status, answer.code) == (409, "not_away")


async def test_many_who_look_at_the_list_read_it_once(engine: RunningEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "KEPT_SECONDS", 3600)
    monkeypatch.setattr(lobby, "KEPT_SECONDS", 3600)
    opened = [(await seat_players(engine, 1, listed=True)).table for _ in range(5)]
    assert {table["id"] for table in (await engine.get("/v1/tables")).json["tables"]} == {*opened}
    commands: list[object] = []
    call = engine.store._backend.call

    async def counted(command: Any, *rest: Any) -> Any:
        commands.append(command)
        return await call(command, *rest)

    monkeypatch.setattr(engine.store._backend, "call", counted)
    for _ in range(20):
        await engine.get("/v1/tables?limit=100")
    assert not [command for command in commands if "listed" in str(command) or "GET" in str(command)]


async def test_listed_tables_come_newest_first_page_by_page(engine: RunningEngine) -> None:
    opened = [(await seat_players(engine, 1, listed=True)).table for _ in range(5)]
    await seat_players(engine, 1)
    listed_ids: list[str] = []
    path: str | None = "/v1/tables?limit=2"
    while path:
        page = (await engine.get(path)).json
        assert len(page["tables"]) <= 2
        listed_ids += [table["id"] for table in page["tables"]]
        path = page["next"] and f"/v1/tables?limit=2&cursor={page['next']}"
    assert listed_ids == opened[::-1]


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=101", "limit=x", "cursor=!", "cursor=%ff", "limit=1&limit=2", "page=2"]
)
async def test_a_bad_page_is_a_fault_that_names_the_parameter(engine: RunningEngine, query: str) -> None:
    answer = await engine.get(f"/v1/tables?{query}")
    assert (answer.status, answer.code, answer.json["field"]) == (400, "malformed", query.partition("=")[0])


@pytest.mark.parametrize("status", ["open", "over"])
async def test_a_renamed_seat_keeps_its_token_and_the_table_its_history(players: SeatedPlayers, status: str) -> None:
    """Otherwise one seat could delete the table's history for all other seats."""
    if status != "open":
        await players.start()
    if status == "over":
        await players.play_out()
    before = await players.see()
    named = await players.engine.ask("PUT", f"{players.path}/seats/1/name", {"name": "Bruna"}, token=players.tokens[1])
    assert named.json["status"] == status
    assert [seat["name"] for seat in named.json["seats"]] == ["Anna", "Bruna", "Ospite 2"]
    page = f"{players.path}/events?after={before['version'] - 1}"
    since = await players.engine.get(page, headers={"Accept": "application/json"})
    assert [item["event"] for item in since.json["events"]] == ["change", "change"]
    assert since.json["events"][-1]["table"]["events"] == [{"type": "renamed", "seat": 1, "name": "Bruna"}]


async def test_the_table_forgets_the_name_of_somebody_who_has_left_once_the_host_gives_the_seat_another(
    playing: SeatedPlayers,
) -> None:
    seat, before = f"{playing.path}/seats/1", (await playing.see())["version"]
    await playing.engine.ask("DELETE", seat, token=playing.tokens[1])
    await playing.engine.ask("PUT", f"{seat}/name", {"name": "Bruna"}, token=playing.tokens[0])
    kept = await playing.engine.get(f"{playing.path}/events", headers={"Accept": "application/json"})
    assert b"Ospite 1" not in kept.body
    since = await playing.engine.get(f"{playing.path}/events?after={before}", headers={"Accept": "application/json"})
    assert [item["event"] for item in since.json["events"]] == ["gap"]


async def test_a_rematch_is_played_under_the_names_that_seats_have_by_then(playing: SeatedPlayers) -> None:
    await playing.play_out()
    await playing.engine.ask("PUT", f"{playing.path}/seats/1/name", {"name": "Bruna"}, token=playing.tokens[1])
    again = await playing.start()
    assert [seat["name"] for seat in again["seats"]] == ["Anna", "Bruna", "Ospite 2"]
    assert (await playing.play()).status == 200


async def test_another_match_begins_with_the_last_answer_and_once(playing: SeatedPlayers) -> None:
    await playing.play_out()
    first = await playing.answer_rematch(0, stays=True)
    assert first.json["rematch"]["answers"] == [True, None, None]
    assert first.json["rematch"]["deadline"]
    assert (await playing.see())["deadline"] is None
    await playing.answer_rematch(1, stays=False)
    last = await playing.answer_rematch(2, stays=True, key="k" * 22)
    assert (last.json["status"], last.json["match"]["number"], last.json["you"]) == ("playing", 2, 1)
    again = await playing.answer_rematch(2, stays=True, key="k" * 22)
    assert (again.status, again.json["version"]) == (200, last.json["version"])
    assert (await playing.engine.get(playing.path, token=playing.tokens[1])).code == "wrong_token"
    late = await playing.answer_rematch(0, stays=False)
    assert (late.status, late.code) == (409, "match_not_over")


async def test_who_sits_down_after_a_match_plays_the_next_one(playing: SeatedPlayers) -> None:
    await playing.play_out()
    sat = await playing.engine.post(f"{playing.path}/seats", {"name": "Dora", "client_seed": "sette oche"})
    assert (sat.status, sat.json["seat"], sat.json["table"]["you"]) == (201, 3, None)
    assert (sat.json["table"]["rematch"]["newcomers"], sat.json["table"]["rematch"]["you"]) == (["Dora"], 0)
    await playing.answer_rematch(0, stays=True)
    await playing.answer_rematch(1, stays=True)
    begun = await playing.answer_rematch(2, stays=True)
    assert [seat["name"] for seat in begun.json["seats"]] == ["Anna", "Ospite 1", "Ospite 2", "Dora"]
    seen = await playing.engine.get(playing.path, token=sat.json["token"])
    assert (seen.json["you"], bool(seen.json["deal"]["hand"])) == (3, True)
    playing.tokens.append(sat.json["token"])
    await playing.play_out()
    proof = await playing.engine.get(f"{playing.path}/deals/1")
    assert proof.json["client_seeds"][3] == "sette oche"


async def test_the_clock_of_another_engine_begins_the_match_after_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The match begins even if the engine that received the answers is gone."""
    monkeypatch.setattr(rematch, "REMATCH_MS", 2000)
    async with empty_database() as url:
        settings = structs.replace(NO_LIMITS, redis_url=url)
        async with running_engine(settings) as engine:
            playing = await seat_players(engine)
            await playing.start()
            await playing.play_out()
            await playing.answer_rematch(1, stays=True)
            table = (await playing.answer_rematch(2, stays=True)).json
            assert table["status"] == "over"
        async with running_engine(settings) as engine:
            playing.engine = engine
            while table["status"] == "over":
                table = (await engine.get(f"{playing.path}?after={table['version']}&wait=25")).json
            assert [seat["name"] for seat in table["seats"]] == ["Ospite 1", "Ospite 2"]
