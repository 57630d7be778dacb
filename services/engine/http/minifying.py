"""Scripts and styles made smaller, where a minifier is installed: comments and blanks go, and local names get short.

The minifier is written in Go, whose runtime would stay in the process that has loaded it, with its threads and its
handlers of signals: so it works in a process of its own, for which this file is the program.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import PurePath

MEDIA_TYPES = {".css": "text/css", ".js": "application/javascript"}
"""What is minified, by the ends of the files' names."""
INDENTS = re.compile(r"\n +")
"""The indents of templates' lines, which the minifier leaves: to HTML a line's end and blanks are one blank."""
SECONDS = 60
"""It takes some fifty milliseconds."""


class NotMinifiedError(RuntimeError):
    """The minifier has failed."""


def can_minify() -> bool:
    """Return whether the minifier is installed: it comes for Linux, and not yet for every Python."""
    return find_spec("minify") is not None


def minified(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the scripts and styles among files, by their names, as short as they can be said.

    Raises `NotMinifiedError`, such as where a sandbox does not let the minifier run.
    """
    texts = {name: data.decode() for name, data in files.items() if PurePath(name).suffix in MEDIA_TYPES}
    # Isolated: what lies beside this file must not hide the standard library.
    command = [sys.executable, "-I", __file__]
    given = json.dumps(texts).encode()
    try:
        done = subprocess.run(command, input=given, stdout=subprocess.PIPE, timeout=SECONDS, check=True)  # noqa: S603
        return {name: text.encode() for name, text in json.loads(done.stdout).items()}
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise NotMinifiedError(repr(error)) from error


def _main() -> None:
    """Minify the texts on standard input, by file names, to standard output."""
    import minify  # noqa: PLC0415 (nowhere but in this process)

    texts = json.load(sys.stdin).items()
    small = {name: minify.string(MEDIA_TYPES[PurePath(name).suffix], text) for name, text in texts}
    json.dump({name: INDENTS.sub("\n", text) for name, text in small.items()}, sys.stdout)


if __name__ == "__main__":
    _main()
