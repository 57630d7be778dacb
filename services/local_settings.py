"""The settings in `.env`, for `make run` and what works on its games."""

from pathlib import Path

from dotenv import dotenv_values

from services.common.settings import SettingsError


def written_settings() -> dict[str, str]:
    """Return what `.env` says, empty values too. Raises `SettingsError` if it is no text in UTF-8."""
    try:
        return {name: value for name, value in dotenv_values(Path(".env")).items() if value is not None}
    except UnicodeDecodeError:
        raise SettingsError(".env must be text in UTF-8: save it again in that encoding.") from None
