"""Servers that end with the tests that have started them, even after Ctrl-C or kill -9."""

import subprocess

WATCH = 'read -r _; kill -s KILL -- "$1"'
"""Script of the shell: its input ends with the process that has started it."""


class Watch:
    """A shell that kills a process, or a process group (negative id), once the process that has started it is gone."""

    def __init__(self, target: int) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, "watch", str(target)],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is only for the tests
        )

    def end(self) -> None:
        """Stop watching, before the process ends normally."""
        self._shell.kill()
        self._shell.communicate()
