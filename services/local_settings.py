"""Reads settings from `.env`, for `make run` and for tools that use its games."""

from pathlib import Path

from dotenv import dotenv_values

from services.common.settings import SettingsError


def written_settings() -> dict[str, str]:
    """Return the settings in `.env`, including empty ones. Raises `SettingsError` if the file is not UTF-8."""
    try:
        return {name: value for name, value in dotenv_values(Path(".env")).items() if value is not None}
    except UnicodeDecodeError:
        raise SettingsError(".env must be text in UTF-8: save it again in that encoding.") from None
