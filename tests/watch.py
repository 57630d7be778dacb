"""Servers that end with the tests that have started them, even after Ctrl-C or kill -9."""

import subprocess

WATCH = 'read -r _; kill -s KILL -- "$1"'
"""A shell script. Its input ends when the process that has started it ends."""


class Watch:
    """A shell that kills a process, or a process group (negative id), once the starter of the shell is gone."""

    def __init__(self, target: int) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, "watch", str(target)],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C must reach only the tests
        )

    def end(self) -> None:
        """Stop watching. Called before the process ends normally."""
        self._shell.kill()
        self._shell.communicate()
