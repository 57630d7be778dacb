"""`make demo`: a match in an emulated Telegram, played by tapping the buttons that the bot renders.

`GAME` and `LANG` choose the game (also of an installed package) and the language; `ALONE=1` plays against computer
players. `make transcripts` writes the transcripts that tests compare with, including an evening of a group. Engine and
bot are real; `tests/emulator/` replaces Telegram.
"""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from itertools import product
from pathlib import Path

from locanda.games.registry import GAME_NAMES
from locanda.translations import Language
from services.common import logs
from tests.demo import evenings
from tests.demo.matches import MATCHES, play

TRANSCRIPTS = Path(__file__).parents[1] / "telegram" / "transcripts"
LANGUAGES: tuple[Language, ...] = ("it", "en")


def transcript_file(game: str, language: Language, *, alone: bool) -> Path:
    """Return the file with the transcript of a match."""
    return TRANSCRIPTS / f"{game}.{'alone' if alone else 'group'}.{language}.txt"


async def transcript(game: str, language: Language, *, alone: bool) -> str:
    """Play a match and return its transcript."""
    written: list[str] = []
    await play(game, language, alone=alone, write=written.append)
    return "".join(written).lstrip()


def evening_file(language: Language) -> Path:
    """Return the file with the transcript of an evening."""
    return TRANSCRIPTS / f"evening.{language}.txt"


async def evening_transcript(language: Language) -> str:
    """Play an evening and return its transcript."""
    written: list[str] = []
    await evenings.play(language, written.append)
    return "".join(written).lstrip()


def write_match(game: str, language: Language, *, alone: bool) -> None:
    """Write the transcript of a match."""
    text = asyncio.run(transcript(game, language, alone=alone))
    transcript_file(game, language, alone=alone).write_text(text, "utf-8")
    print(f"{game} {language} {'alone' if alone else 'group'}: {text.count(chr(10))} lines")


def write_all() -> None:
    """Write all transcripts of the built-in games."""
    for alone, game, language in product((True, False), MATCHES, LANGUAGES):
        write_match(game, language, alone=alone)
    for language in LANGUAGES:
        text = asyncio.run(evening_transcript(language))
        evening_file(language).write_text(text, "utf-8")
        print(f"evening {language}: {text.count(chr(10))} lines")


def show(chosen: Namespace) -> None:
    """Play a match and print it."""
    asyncio.run(
        play(
            chosen.game or "gatto_rosso",
            chosen.language,
            alone=chosen.alone,
            write=lambda text: print(text, end="", flush=True),
            pause=chosen.pause,
        )
    )


if __name__ == "__main__":
    parser = ArgumentParser(prog="make demo", description=__doc__)
    parser.add_argument("--game", choices=GAME_NAMES)
    parser.add_argument("--language", choices=LANGUAGES, default="it")
    parser.add_argument("--alone", action="store_true", help="against computer players")
    parser.add_argument("--write", action="store_true", help="write the transcript, or without a game all of ours")
    parser.add_argument("--pause", type=float, default=0.7 if sys.stdout.isatty() else 0.0, help="seconds before a tap")
    arguments = parser.parse_args()
    logs.configure("error", "console")
    if not arguments.write:
        show(arguments)
    elif arguments.game:
        write_match(arguments.game, arguments.language, alone=arguments.alone)
    else:
        write_all()
