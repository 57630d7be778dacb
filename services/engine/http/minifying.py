"""Minifies the page's scripts and styles, if a minifier is installed: shorter local names, no comments, no blanks.

The minifier is written in Go, whose runtime leaves threads and signal handlers in the process that loads it. So the
minifier runs in a process of its own, and this file is the program of that process.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import PurePath

MEDIA_TYPES = {".css": "text/css", ".js": "application/javascript"}
"""Media types by suffix, for the files that are minified."""
BLANKS = re.compile(r"\s*([{};,>])\s*|(?<=:)\s+")
"""Blanks that the minifier leaves in `@container` rules, which it does not know."""
INDENTS = re.compile(r"\n +")
"""Indents of template lines, which the minifier leaves. In HTML, a newline followed by blanks equals one blank."""
SECONDS = 60
"""Timeout of the minifier, which usually takes fifty milliseconds."""


class NotMinifiedError(RuntimeError):
    """The minifier has failed."""


def can_minify() -> bool:
    """Return whether the minifier is installed. It exists for Linux only, and not for every version of Python."""
    return find_spec("minify") is not None


def minified(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the scripts and styles among `files`, minified, by name.

    Raises `NotMinifiedError`, for example if a sandbox does not let the process start.
    """
    texts = {name: data.decode() for name, data in files.items() if PurePath(name).suffix in MEDIA_TYPES}
    # -I: modules beside this file must not shadow the standard library.
    command = [sys.executable, "-I", __file__]
    encoded_texts = json.dumps(texts).encode()
    try:
        done = subprocess.run(command, input=encoded_texts, stdout=subprocess.PIPE, timeout=SECONDS, check=True)  # noqa: S603
        return {name: text.encode() for name, text in json.loads(done.stdout).items()}
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise NotMinifiedError(repr(error)) from error


def _main() -> None:
    """Read a JSON object of files from standard input, minify them, and write them to standard output."""
    import minify  # noqa: PLC0415 (loaded only in this process)

    texts = json.load(sys.stdin).items()
    small = {name: minify.string(MEDIA_TYPES[PurePath(name).suffix], text) for name, text in texts}
    done = {name: _tightened(name, text) for name, text in small.items()}
    json.dump(done, sys.stdout)


def _tightened(name: str, text: str) -> str:
    return BLANKS.sub(r"\1", text) if name.endswith(".css") else INDENTS.sub("\n", text)


if __name__ == "__main__":
    _main()
