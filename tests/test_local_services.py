"""The output of `make run`, and the address at which the bot started by it looks for the engine."""

import socket
from pathlib import Path

import pytest

from services import local_redis, local_services
from services.common import processes
from services.doctor import __main__ as doctor
from services.engine.settings import EngineSettings

HERE = "Open http://127.0.0.1:8081 in a browser to play."


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (EngineSettings(engine_port=8081, engine_web="web"), [HERE]),
        (
            EngineSettings(engine_port=8081, engine_web="web", public_url="https://cards.example.org"),
            [HERE, "Friends open https://cards.example.org."],
        ),
        (EngineSettings(engine_port=8081), []),
    ],
)
def test_the_addresses_are_this_machines_own_and_the_one_for_friends(
    settings: EngineSettings, said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    local_services._invite(settings)
    assert capsys.readouterr().out.splitlines() == said


def test_an_engine_for_the_whole_network_says_what_others_there_open(capsys: pytest.CaptureFixture[str]) -> None:
    local_services._invite(EngineSettings(engine_host="0.0.0.0", engine_port=8081, engine_web="web"))
    first, *others = capsys.readouterr().out.splitlines()
    assert first == HERE
    assert all(line.startswith("Friends in the same network open http://") for line in others)


@pytest.mark.parametrize(
    ("host", "url"),
    [("127.0.0.1", "http://127.0.0.1:8081"), ("::", "http://127.0.0.1:8081"), ("192.0.2.7", "http://192.0.2.7:8081")],
)
def test_the_bot_plays_at_the_engine_beside_it_whatever_the_example_of_settings_says(host: str, url: str) -> None:
    environment = {"TELEGRAM_TOKEN": "123456:ABC-DEF", "ENGINE_URL": "http://127.0.0.1:8080"}
    settings = local_services._bot_settings(environment, EngineSettings(engine_host=host, engine_port=8081))
    assert settings is not None
    assert settings.engine_url == url


def test_the_address_of_both_families_answers_where_it_is_said_to() -> None:
    with processes.listening_socket("::", 0) as listening:
        port = listening.getsockname()[1]
        for host in ["127.0.0.1", *(["::1"] if socket.has_dualstack_ipv6() else [])]:
            socket.create_connection((host, port), timeout=60).close()


def test_without_ipv6_all_addresses_are_those_of_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    with processes.listening_socket("::", 0) as listening:
        assert listening.family == socket.AF_INET


def test_settings_that_are_no_utf8_end_the_start_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("ENGINE_PORT=8081\n", encoding="utf-16")
    assert local_services.main() == 2
    assert local_redis.main(["save"]) == 1
    assert doctor.main() == 1
    sentence = ".env must be text in UTF-8: save it again in that encoding."
    said = capsys.readouterr()
    assert (said.err + said.out).splitlines() == [sentence] * 3


def test_an_address_of_another_machine_is_not_called_a_port_that_is_taken() -> None:
    with (
        pytest.raises(processes.CannotListenError, match="ENGINE_HOST must be an address of this machine"),
        processes.listening_at("nowhere.example", 8080, "ENGINE_HOST", "ENGINE_PORT"),
    ):
        raise socket.gaierror(-2, "Name or service not known")


def test_ctrl_c_ends_a_command_without_a_traceback() -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as ended:
        processes.exit_with(interrupted)
    assert ended.value.code == 130
