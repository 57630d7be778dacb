"""A sprite with a few cards of a deck, for screens that need no more of it."""

import re
from xml.etree import ElementTree

SVG = "http://www.w3.org/2000/svg"


def excerpt(sprite: str, codes: set[str]) -> str:
    """Return a sprite with only these cards and the shared parts that they use."""
    root = ElementTree.fromstring(sprite)  # noqa: S314 - the generator's own
    parts = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
    used: set[str] = set()
    ahead = set(codes)
    while ahead:
        used |= ahead
        ahead = {name for part in ahead for name in _uses(parts[part])} - used
    for parent in (root, *root.findall(f"{{{SVG}}}defs")):
        for element in [child for child in parent if child.get("id", "") not in used and child.tag != f"{{{SVG}}}defs"]:
            parent.remove(element)
    ElementTree.register_namespace("", SVG)
    return re.sub(r" />", "/>", ElementTree.tostring(root, "unicode")).rstrip() + "\n"


def _uses(element: ElementTree.Element) -> set[str]:
    return {use.attrib["href"].removeprefix("#") for use in element.iter(f"{{{SVG}}}use")}
