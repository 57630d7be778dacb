"""Settings of the bot from the environment."""

import pytest

from services.telegram.settings import SettingsError, load

TOKEN = "123456:ABC-DEF"


def test_a_token_is_all_that_is_needed() -> None:
    settings = load({"TELEGRAM_TOKEN": TOKEN})
    assert settings.telegram_api_url == "https://api.telegram.org"
    assert settings.engine_url == "http://127.0.0.1:8080"
    assert settings.telegram_webhook_url == settings.redis_url == ""


def test_an_empty_value_counts_as_missing() -> None:
    assert load({"TELEGRAM_TOKEN": TOKEN, "REDIS_URL": " ", "LOG_LEVEL": ""}).log_level == "info"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELEGRAM_TOKEN", "not a token"),
        ("TELEGRAM_API_URL", "ftp://x"),
        ("TELEGRAM_WEBHOOK_URL", "example.org"),
        ("TELEGRAM_WEBHOOK_SECRET", "with space"),
        ("TELEGRAM_WEBHOOK_PORT", "70000"),
        ("TELEGRAM_WEBHOOK_PORT", "eighty"),
        ("TELEGRAM_HEALTH_PORT", "70000"),
        ("TELEGRAM_APP", "two words"),
        ("ENGINE_URL", "localhost"),
        ("ENGINE_API_KEY", "short"),
        ("REDIS_URL", "mysql://x"),
        ("LOG_LEVEL", "loud"),
        ("LOG_FORMAT", "xml"),
    ],
)
def test_a_bad_value_is_named_in_one_sentence_that_does_not_repeat_it(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load({"TELEGRAM_TOKEN": TOKEN} | {name: value})
    assert str(refused.value).startswith(name)
    assert value not in str(refused.value)


def test_a_missing_token_is_no_error() -> None:
    assert load({}).telegram_token == ""


def test_a_webhook_needs_its_secret() -> None:
    with pytest.raises(SettingsError, match="TELEGRAM_WEBHOOK_SECRET"):
        load({"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_WEBHOOK_URL": "https://example.org/tg"})


def test_a_mini_app_needs_an_https_address() -> None:
    for address in ("", "http://cards.example.org"):
        with pytest.raises(SettingsError, match="TELEGRAM_APP needs PUBLIC_URL"):
            load({"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_APP": "tavolo", "PUBLIC_URL": address})


def test_the_token_is_not_in_the_repr_of_settings() -> None:
    assert TOKEN not in repr(load({"TELEGRAM_TOKEN": TOKEN}))
