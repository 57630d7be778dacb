"""Link to a table: serves the page with the table's name and picture, for programs that preview links.

Browsers never send the part of an address after `#`, so a link to the page itself cannot preview a table.
"""

import re
import zlib
from collections.abc import Collection, Iterator
from html import escape

import msgspec

from locanda.games.base import N_
from locanda.messages import Table
from locanda.translations import Language, translations_in
from services.common.negotiation import language
from services.engine import catalogue
from services.engine.http.api.decoding import address
from services.engine.http.api.words import table_in_words
from services.engine.http.server.context import HttpRequest, takes
from services.engine.http.server.dispatcher import BoundHandler
from services.engine.http.server.responses import GZIP, Response
from services.engine.service.errors import NoSuchTableError

RELATIVE = re.compile('(?<=["])(?=static/|icons/|manifest)')
"""Matches the places where relative addresses of files begin in the page. Under a table's link they need `../`."""
NAMED = re.compile('<meta name="description"[^>]*>\n<title>[^<]*</title>')
INSTALLED = re.compile('<link rel="(?:manifest|apple-touch-icon)"[^>]*>\n')
"""Links to the manifest and icon. They are removed, since they would be resolved relative to the table's link."""
OF_ALL = ("screens/table.js", "texts/page.{language}.js")
"""Files of a table's screen to preload. Preloading saves a round trip before the first card appears."""
OF_OPEN = ("screens/waiting.js", "texts/lobby.{language}.js", "style/panels.css", "style/forms.css", "style/lobby.css")
OF_PLAYED = (
    "table/playing.js",
    "texts/play.{language}.js",
    "style/play.css",
    "games/{game}/page.js",
    "games/{game}/page.css",
)
OPEN = N_("Table of {host}: {taken} of {seats} seats are taken. Sit down, or watch.")
PLAYING = N_("{names} are playing. Come and watch.")
GONE = N_("This table is gone. Pick a game and open another one.")
PICTURES = {"cuccu": "cuccu"}
"""The preview picture by deck; keys are the beginning of the deck's name."""
OTHER_PICTURE = "cards"

_decode = msgspec.json.Decoder(Table).decode


def invitation_of(page: str, folder: str, files: Collection[str]) -> BoundHandler:
    """Return the handler of links to tables, given the page and the names of the files in its folder."""
    above = RELATIVE.sub("../", INSTALLED.sub("", page))

    async def invitation(request: HttpRequest) -> Response:
        """Return the page, with a table's name, sentence and picture for link previews.

        Name and sentence come from the spectator's view.
        """
        spoken, public = language(request), request.context.public_url
        preloaded = ""
        try:
            shown = await request.context.service.queries.show(request.path_values["table"], None)
            seen = _decode(table_in_words(shown.body, spoken))
            title, sentence, picture = _title(seen, spoken), _sentence(seen, spoken), _picture(seen)
            preloaded = "".join(_preloads(seen, spoken, folder, files))
        except NoSuchTableError:
            title, sentence, picture = "Locanda", translations_in(spoken).gettext(GONE), OTHER_PICTURE
        head = _head(title, sentence, f"{public or address(request)}/social/{picture}.png")
        # After app.js, which is needed first: browsers open only six connections (HTTP/1.1).
        text = NAMED.sub(lambda _: head, above, count=1).replace("</head>", f"{preloaded}</head>").encode()
        headers = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Language": spoken,
            "Cache-Control": "no-cache",
            "Vary": "Accept-Encoding, Accept-Language" + ("" if public else ", Host"),
        }
        if not takes(request, "gzip"):
            return Response(text, headers=headers)
        return Response(zlib.compress(text, wbits=GZIP), headers=headers | {"Content-Encoding": "gzip"})

    return invitation


def _preloads(table: Table, language: Language, folder: str, files: Collection[str]) -> Iterator[str]:
    """Yield preload links for the files that a table's screen needs first."""
    for pattern in (*OF_ALL, *(OF_OPEN if table.status == "open" else OF_PLAYED)):
        name = pattern.format(language=language, game=table.game)
        if name in files:
            kind = "modulepreload" if name.endswith(".js") else 'preload" as="style'
            yield f'<link rel="{kind}" href="../{folder}{name}">\n'


def _title(table: Table, language: Language) -> str:
    name = catalogue.details(table.game).name
    return f"{name.it if language == 'it' else name.en} · Locanda"


def _sentence(table: Table, language: Language) -> str:
    """Return the sentence of a preview: the players, the winner, or the free seats."""
    translations, names = translations_in(language), [seat.name for seat in table.seats]
    if table.words and table.words.result:
        return " ".join(table.words.result)
    if table.status != "open" or table.host is None:
        return translations.gettext(PLAYING).format(names=", ".join(names))
    most = catalogue.details(table.game).players.max if table.max_seats is msgspec.UNSET else table.max_seats
    return translations.gettext(OPEN).format(host=names[table.host], taken=len(names), seats=most)


def _picture(table: Table) -> str:
    deck = catalogue.details(table.game).deck
    return next((picture for name, picture in PICTURES.items() if deck.startswith(name)), OTHER_PICTURE)


def _head(title: str, sentence: str, image: str) -> str:
    tags = {"og:type": "website", "og:site_name": "Locanda", "og:title": title, "og:description": sentence}
    tags |= {"og:image": image, "og:image:width": "1200", "og:image:height": "630"}
    lines = "".join(f'<meta property="{name}" content="{escape(text)}">\n' for name, text in tags.items())
    names = {"description": escape(sentence), "twitter:card": "summary_large_image"}
    lines += "".join(f'<meta name="{name}" content="{text}">\n' for name, text in names.items())
    return f"{lines}<title>{escape(title)}</title>\n"
