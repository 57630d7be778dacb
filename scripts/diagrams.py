"""Draws the Mermaid diagrams of the documents as pictures for the site. GitHub and GitLab draw Mermaid themselves."""

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

DOCS = Path(__file__).parents[1] / "docs"
DIAGRAM = re.compile(r"```mermaid\n%% (?P<file>\S+): (?P<title>[^\n]+)\n(?P<text>.*?)```", re.DOTALL)
MERMAID = "@mermaid-js/mermaid-cli@11.17.0"


def on_page_markdown(markdown: str, **_: object) -> str:
    """Replace Mermaid code by pictures, so that the site loads no script from another host. A hook of mkdocs."""
    return DIAGRAM.sub(r"![\g<title>](\g<file>)", markdown)


def signature(text: str) -> str:
    """Return the comment that identifies a picture's Mermaid source."""
    return f"<!-- {sha256(text.encode()).hexdigest()} -->"


def main(options: list[str]) -> None:
    """Draw all pictures. Command-line options are passed on to Mermaid."""
    for page in sorted(DOCS.glob("*.md")):
        for diagram in DIAGRAM.finditer(page.read_text("utf-8")):
            picture = DOCS / diagram["file"]
            with NamedTemporaryFile("w", suffix=".mmd") as text:
                text.write(diagram["text"])
                text.flush()
                files = "--input", text.name, "--output", str(picture)
                subprocess.run(["npx", "--yes", MERMAID, *options, *files], check=True)  # noqa: S603, S607
            picture.write_text(f"{picture.read_text('utf-8').strip()}{signature(diagram['text'])}\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
