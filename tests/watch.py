"""Servers that end with the tests that have started them, however these end: by Ctrl-C or kill -9 too."""

import subprocess

WATCH = 'read -r _; kill -s KILL -- "$1"'
"""Ends as a shell does: its input ends with the process that has started it."""


class Watch:
    """A shell that kills a process, or the group of a negative id, once the process that has started it is gone."""

    def __init__(self, target: int) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, "watch", str(target)],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the tests
        )

    def end(self) -> None:
        """Stop watching, before the process ends as it should."""
        self._shell.kill()
        self._shell.communicate()
