"""Makes the games of `examples/games` look installed to processes with this `PYTHONPATH`."""

import os
import sys
import tomllib
from pathlib import Path
from tempfile import mkdtemp

GAMES = Path(__file__).parents[1] / "examples" / "games"


def installed(folder: Path, *names: str) -> list[Path]:
    """Write the metadata of these packages into a folder, like an installer. Return the folders for `PYTHONPATH`."""
    for name in names:
        register(folder, GAMES / name)
    return [folder, *(GAMES / name for name in names)]


def register(folder: Path, package: Path) -> None:
    project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    entries = project["entry-points"]["locanda.games"]
    lines = "".join(f"{name} = {module}\n" for name, module in entries.items())
    (info / "entry_points.txt").write_text(f"[locanda.games]\n{lines}", "utf-8")


if __name__ == "__main__":
    print(os.pathsep.join(map(str, installed(Path(mkdtemp()), *sys.argv[1:]))))
