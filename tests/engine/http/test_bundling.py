"""The page's scripts, which the engine bundles."""

from pathlib import Path

from services.engine.http.bundling import BUNDLES, Bundle, bundled

PAGE = Path(__file__).parents[3] / "services" / "web"
FILES = {
    "app.js": b'import { open } from "./screens/table.js";\nimport { shout } from "./words.js";\nopen(shout);\n',
    "words.js": b"export const loud = true;\nexport function shout() {}\n",
    "cards.js": (
        b'import { shout as call } from "./words.js";\n'
        b'export const art = new URL("./a.svg", import.meta.url);\ncall();\n'
    ),
    "screens/table.js": (
        b'import { art } from "../cards.js";\nexport async function open() {\n    await import("../later.js");\n'
        b'    return [art, (await import("../words.js")).loud];\n}\n'
    ),
    "later.js": b'import { art } from "./cards.js";\nexport default art;\n',
}
BOTH = (Bundle("page.js", ("words.js",)), Bundle("screens/table.js", ("screens/table.js",)))


def test_a_bundle_holds_what_its_roots_import_each_script_once() -> None:
    texts = {name: text.decode() for name, text in bundled(FILES, BOTH).items()}

    assert 'm["words.js"]=' in texts["page.js"]
    assert texts["screens/table.js"].index('m["cards.js"]=') < texts["screens/table.js"].index('m["screens/table.js"]=')
    assert 'm["words.js"]=' not in texts["screens/table.js"]


def test_scripts_find_what_they_import_where_it_is() -> None:
    texts = {name: text.decode() for name, text in bundled(FILES, BOTH).items()}

    assert 'const{shout:call}=m_page["words.js"]' in texts["screens/table.js"]
    assert 'new URL("./a.svg", new URL("../cards.js",import.meta.url).href)' in texts["screens/table.js"]
    assert 'import("../page.js").then((bundle)=>bundle.m["words.js"])' in texts["screens/table.js"]
    assert texts["screens/table.js"].endswith('export const{open}=m["screens/table.js"];')
    assert texts["later.js"].startswith('import{m as m_screens_table}from"./screens/table.js";')
    assert texts["words.js"] == 'import{m}from"./page.js";export const{loud,shout}=m["words.js"];'


def test_the_page_s_own_bundles_have_their_roots() -> None:
    scripts = {path.relative_to(PAGE).as_posix(): path.read_bytes() for path in PAGE.rglob("*.js")}

    bundles = bundled(scripts)

    for bundle in BUNDLES:
        for root in bundle.roots:
            assert f'm["{root}"]='.encode() in bundles[bundle.name]
