"""Runs programs for the tests of deploy/ and scripts/."""

import os
import subprocess

from tests.programs import ROOT, program


def run(name: str, *arguments: str, **environment: str) -> str:
    """Run a program in the repository and return its output. The program must succeed."""
    command, variables = [program(name), *arguments], os.environ | environment
    ended = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout
