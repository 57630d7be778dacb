"""Runs the verifier: as `python -m locanda.verify`, or from its folder alone as `python3 path/to/verify`."""

import sys
from importlib import import_module
from pathlib import Path

if not __package__:  # run as a folder: make it importable as a package
    sys.path.append(str(Path(__file__).parents[1]))
    sys.exit(import_module(Path(__file__).parent.name).main())

from . import main

sys.exit(main())
