from pathlib import Path

import pytest

from services.engine.settings import EngineSettings, SettingsError, load, own_players


def test_without_an_environment_the_engine_serves_this_machine_alone() -> None:
    settings = load({})
    assert (settings.engine_host, settings.engine_port, settings.redis_url) == ("127.0.0.1", 8080, "")


def test_settings_come_from_the_environment() -> None:
    settings = load(
        {"ENGINE_PORT": " 9000 ", "REDIS_URL": "redis://u:p@host:1/2", "LOG_FORMAT": "JSON", "PATH": "/bin"}
    )
    assert (settings.engine_port, settings.redis_url, settings.log_format) == (9000, "redis://u:p@host:1/2", "json")


def test_an_empty_setting_is_none() -> None:
    assert load({"ENGINE_PORT": "", "REDIS_URL": " "}) == EngineSettings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ENGINE_PORT", "http"),
        ("ENGINE_PORT", "65536"),
        ("ENGINE_PORT", "-1"),
        ("REDIS_URL", "localhost:6379"),
        ("REDIS_URL", "http://localhost"),
        ("ENGINE_THINK_MS", "soon"),
        ("ENGINE_REPLICAS", "-1"),
        ("ENGINE_TABLES_PER_MINUTE", "many"),
        ("ENGINE_SEATS_PER_MINUTE", "-1"),
        ("ENGINE_WRITES_PER_SECOND", "1.5"),
        ("ENGINE_TRUSTED_PROXIES", "proxy.example"),
        ("ENGINE_TRUSTED_PROXIES", "10.0.0.1/8"),
        ("ENGINE_OUTBOUND_PRIVATE", "localhost"),
        ("ENGINE_PLAYERS", "eva"),
        ("ENGINE_PLAYERS", "Ada=https://bots.example/"),
        ("ENGINE_PLAYERS", "ada:=https://bots.example/"),
        ("ENGINE_PLAYERS", "ada=ftp://bots.example/"),
        ("ENGINE_PLAYERS", "ada=https://[bots"),
        ("ENGINE_PLAYERS", "ada=https://bots.example/ whsec_short"),
        ("ENGINE_PLAYERS", ",".join(f"ada{number}=https://bots.example/" for number in range(13))),
        ("ENGINE_PROXY_HEADER", "X-Real-IP"),
        ("ENGINE_API_KEYS", "short"),
        ("ENGINE_API_KEYS", "long-enough-to-be-a-key,short"),
        ("ENGINE_API_KEYS", "long enough, but with spaces"),
        ("ENGINE_CORS_ORIGINS", "play.example"),
        ("ENGINE_CORS_ORIGINS", "https://play.example/"),
        ("ENGINE_CORS_ORIGINS", "https://*.example"),
        ("ENGINE_CORS_ORIGINS", "https://play.example, *"),
        ("ENGINE_STREAMS", "-1"),
        ("PUBLIC_URL", "cards.example"),
        ("PUBLIC_URL", "https://cards.example/"),
        ("LOG_LEVEL", "loud"),
        ("LOG_FORMAT", "xml"),
    ],
)
def test_the_error_of_a_bad_value_is_one_sentence_that_does_not_repeat_it(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as raised:
        load({name: value})
    sentence = str(raised.value)
    assert sentence.startswith(f"{name} must be ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert value not in sentence.removeprefix(name)


def test_own_players_are_read_with_the_game_and_the_secret_that_some_have() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    settings = load({"ENGINE_PLAYERS": f"ada=https://bots.example/a?b=c {secret}, eva:ramino=http://10.0.0.1:9000"})
    ada, eva = own_players(settings.engine_players)
    assert (ada.level, ada.game, ada.server.url, ada.server.secret) == (
        "@ada",
        None,
        "https://bots.example/a?b=c",
        secret,
    )
    assert (eva.entry, eva.server.url, eva.server.secret) == ("eva:ramino", "http://10.0.0.1:9000", None)
    assert "bots" not in repr(ada)
    with pytest.raises(SettingsError, match="names a game that is not here"):
        load({"ENGINE_PLAYERS": "eva:briscola=https://bots.example/"})


def test_every_setting_documents_what_it_must_be() -> None:
    assert EngineSettings.EXPECTATIONS.keys() == set(EngineSettings.__struct_fields__)


def test_settings_do_not_print_their_values() -> None:
    assert "secret" not in repr(EngineSettings(redis_url="redis://:secret@host"))


def test_a_secret_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("a-key-of-sixteen-characters\n")
    assert load({"ENGINE_API_KEYS_FILE": str(file)}).engine_api_keys == "a-key-of-sixteen-characters"
    with pytest.raises(SettingsError, match="ENGINE_API_KEYS and ENGINE_API_KEYS_FILE are both given"):
        load({"ENGINE_API_KEYS_FILE": str(file), "ENGINE_API_KEYS": "another-key-of-the-operator"})
    file.write_text("")
    assert load({"ENGINE_API_KEYS_FILE": str(file)}).engine_api_keys == ""


def test_a_file_that_cannot_be_read_ends_the_start_with_its_settings_name(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="ENGINE_API_KEYS_FILE must name a file"):
        load({"ENGINE_API_KEYS_FILE": str(tmp_path / "none")})
