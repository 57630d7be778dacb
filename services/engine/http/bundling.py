"""Bundles the page's scripts, so that a browser requests a few files instead of thirty. Removes comments and indents.

A bundle is a module that exports `m`, an object with the exports of its scripts by name. Each script runs in a function
of its own. A bundle may replace a script of the same name, with that script's exports. Every other bundled script
becomes a module that re-exports from its bundle.

It supports only what the page's scripts use: named imports at the beginning of a line, exported declarations, lists of
exports, and no circular imports.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

DOCUMENTATION = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/$|/\*\* @(?:(?!\*/).)*\*/ ?", re.MULTILINE | re.DOTALL)
"""Documentation comments on lines of their own, and types of expressions: a third of a script's compressed size."""
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
"""Indents, also of lines in templates: in HTML, a newline followed by blanks equals one blank."""
STYLE_COMMENT = re.compile(r"/\*(?:(?!\*/).)*\*/\n?", re.DOTALL)
IMPORT = re.compile(r"""^import\s*\{([^}]*)\}\s*from\s*["'](\.[^"']+)["'];?""", re.MULTILINE)
IMPORT_ON_A_LINE = re.compile(r"""(?<=;)import\s*\{([^}]*)\}\s*from\s*["'](\.[^"']+)["'];?""")
"""Matches an import that follows another import on the same line, in a library's minified scripts."""
DYNAMIC = re.compile(r"""\bimport\((["`])(\.[^"`]*)\1\)""")
EXPORTED = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
EXPORTS = re.compile(r"\bexport\s*\{([^}]*)\};?")


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle to create.

    It contains the scripts `roots` and everything they import, except scripts of earlier bundles.
    """

    name: str
    roots: tuple[str, ...]


BUNDLES = (
    Bundle(
        "app.js",
        (
            "client.js",
            "storage.js",
            "parts.js",
            "screens/frame.js",
            "telegram/launch.js",
            "vendor/lit-html/directive.js",
            "app.js",
        ),
    ),
    Bundle("screens/words.js", ("screens/words.js", "screens/standing.js", "markdown.js")),
    Bundle("screens/fields.js", ("screens/fields.js", "screens/form.js", "screens/first-time.js", "opening.js")),
    Bundle("screens/table.js", ("screens/table.js", "table/faces.js", "table/said.js")),
    Bundle("table/playing.js", ("table/playing.js", "games/common.js")),
    Bundle("flights.js", ("flights.js", "dealing.js")),
    Bundle("screens/waiting.js", ("screens/waiting.js",)),
)


STYLES = {"style/play.css": ("style/table.css", "style/seats.css", "style/cards.css")}
"""Stylesheets that are always loaded together, by the name of the combined file."""


def styles(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return all stylesheets by name, the combined ones too, without comments and indents. Skips missing parts."""
    texts = {name: data.decode() for name, data in files.items() if name.endswith(".css")}
    texts |= {name: "".join(texts.get(part, "") for part in parts) for name, parts in STYLES.items()}
    return {name: INDENT.sub("", STYLE_COMMENT.sub("", text)).encode() for name, text in texts.items()}


def bundled(files: Mapping[str, bytes], bundles: Sequence[Bundle] = BUNDLES) -> dict[str, bytes]:
    """Return all scripts and bundles by name, without documentation comments and indents.

    Each line keeps its number, since error messages name it.
    """
    scripts = {
        name: DOCUMENTATION.sub(lambda comment: "\n" * comment[0].count("\n"), data.decode())
        for name, data in files.items()
        if name.endswith(".js")
    }
    homes: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    for bundle in bundles:
        names_in_order = [name for root in bundle.roots for name in _with_imports(scripts, root)]
        members[bundle.name] = [name for name in dict.fromkeys(names_in_order) if name not in homes]
        homes |= dict.fromkeys(members[bundle.name], bundle.name)
    writer = _Writer(scripts, homes)
    rest = {name: writer.script(name) for name in scripts if name not in homes}
    passing = {name: writer.passing_on(name) for name in homes}
    whole = {name: writer.bundle(name, inside) for name, inside in members.items() if inside}
    return {name: INDENT.sub("", text).encode() for name, text in (rest | passing | whole).items()}


def _imports(text: str) -> Iterator[str]:
    for pattern in (IMPORT, IMPORT_ON_A_LINE):
        yield from (match[2] for match in pattern.finditer(text))


def _with_imports(scripts: Mapping[str, str], name: str) -> list[str]:
    """Return the names of all scripts that a script imports, followed by its own name; empty if it does not exist."""
    scripts_in_order: dict[str, None] = {}
    if name in scripts:
        for path in _imports(scripts[name]):
            scripts_in_order |= dict.fromkeys(_with_imports(scripts, _resolved(name, path)))
        scripts_in_order[name] = None
    return list(scripts_in_order)


def _resolved(importer: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))


def _relative(name: str, importer: str) -> str:
    path = posixpath.relpath(name, posixpath.dirname(importer) or ".")
    return path if path.startswith(".") else f"./{path}"


def _renamed(names: str) -> str:
    """Return a list of imports (`a as b`) in the form of a destructuring (`a:b`)."""
    return ",".join(re.sub(r"\s+as\s+", ":", name_pair.strip()) for name_pair in names.split(",") if name_pair.strip())


class _Writer:
    """Writes scripts with imports that point to the bundles."""

    def __init__(self, scripts: Mapping[str, str], homes: Mapping[str, str]) -> None:
        self._scripts = scripts
        self._homes = homes
        """The name of the bundle that contains each script."""

    def script(self, name: str) -> str:
        """Return a script that is in no bundle."""
        return self._linked(name, name, "")

    def passing_on(self, name: str) -> str:
        """Return a module that re-exports the exports of a bundled script."""
        home = _relative(self._homes[name], name)
        return f'import{{m}}from"{home}";export const{{{",".join(self._exports(name))}}}=m["{name}"];'

    def bundle(self, name: str, inside: Sequence[str]) -> str:
        """Return a bundle of these scripts.

        A bundle with the name of one of the scripts also has that script's exports.
        """
        text = "".join(f'm["{script}"]=await(async()=>{{{self._body(script, name)}}})();\n' for script in inside)
        own = f'export const{{{",".join(self._exports(name))}}}=m["{name}"];' if name in inside else ""
        others = sorted(set(self._homes.values()) - {name})
        used = [other for other in others if f'{_alias(other)}["' in text]
        imports = "".join(f'import{{m as {_alias(other)}}}from"{_relative(other, name)}";' for other in used)
        return f"{imports}export const m={{}};\n{text}{own}"

    def _body(self, name: str, bundle: str) -> str:
        text = self._linked(name, bundle, bundle)
        exports = [f"{exported}:{local}" for exported, local in self._exports(name).items()]
        return f"{EXPORTS.sub('', EXPORTED.sub('', text))}\nreturn{{{','.join(exports)}}}"

    def _exports(self, name: str) -> dict[str, str]:
        """Return the local names of a script's exports, by exported name."""
        text = self._scripts[name]
        locals_by_export = {exported_name: exported_name for exported_name in EXPORTED.findall(text)}
        for names in EXPORTS.findall(text):
            for name_pair in names.split(","):
                local, _, exported = name_pair.strip().partition(" as ")
                locals_by_export[exported or local] = local
        return locals_by_export

    def _linked(self, name: str, place: str, bundle: str) -> str:
        """Return a script with its imports adjusted for the file `place`, and pointing to bundles."""
        needed: dict[str, None] = {}

        def static(match: re.Match[str]) -> str:
            target = _resolved(name, match[2])
            home = self._homes.get(target)
            if home is None:
                return f'import{{{match[1]}}}from"{_relative(target, place)}";'
            if home != bundle:
                needed[home] = None
            return f'const{{{_renamed(match[1])}}}={"m" if home == bundle else _alias(home)}["{target}"];'

        def dynamic(match: re.Match[str]) -> str:
            target = _resolved(name, match[2])
            home = self._homes.get(target)
            if home is None or target == home:
                return f"import({match[1]}{_relative(target, place)}{match[1]})"
            if home == bundle:
                return f'Promise.resolve(m["{target}"])'
            return f'import("{_relative(home, place)}").then((bundle)=>bundle.m["{target}"])'

        text = DYNAMIC.sub(dynamic, self._scripts[name])
        for pattern in (IMPORT, IMPORT_ON_A_LINE):
            text = pattern.sub(static, text)
        if place != name:
            text = text.replace("import.meta.url", f'new URL("{_relative(name, place)}",import.meta.url).href')
        if bundle:
            return text
        return "".join(f'import{{m as {_alias(other)}}}from"{_relative(other, place)}";' for other in needed) + text


def _alias(bundle: str) -> str:
    return "m_" + re.sub(r"\W", "_", bundle.removesuffix(".js"))
