"""The address of a table that is passed on: programs that show links read who plays there, browsers go on to the page.

What stands behind `#` in an address is never sent, so that a link to the page itself says nothing of its table.
"""

import re
from html import escape

import msgspec

from locanda.games.base import N_
from locanda.messages import Table
from locanda.translations import Language, translations_in
from services.common.negotiation import language
from services.engine import catalogue
from services.engine.http.api.decoding import address
from services.engine.http.api.words import table_in_words
from services.engine.http.server.context import HttpRequest
from services.engine.http.server.responses import Response, html_response
from services.engine.service.errors import NoSuchTableError

TABLE = re.compile("[A-Za-z0-9_-]{1,64}")
OPEN = N_("Table of {host}: {taken} of {seats} seats are taken. Sit down, or watch.")
PLAYING = N_("{names} are playing. Come and watch.")
GONE = N_("This table is gone. Pick a game and open another one.")
PICTURES = {"cuccu": "cuccu"}
"""By the beginning of a deck's name: the picture with its cards."""
OTHER_PICTURE = "cards"

_decode = msgspec.json.Decoder(Table).decode


async def invitation(request: HttpRequest) -> Response:
    """Return a table's name, sentence and picture for programs that show links, and lead browsers on.

    They read what a spectator sees.
    """
    table, spoken = request.path_values["table"], language(request)
    public = request.context.public_url
    headers = {"Content-Language": spoken, "Vary": "Accept-Language" + ("" if public else ", Host")}
    try:
        shown = await request.context.service.queries.show(table, None)
        seen = _decode(table_in_words(shown.body, spoken))
        title, sentence, picture = _title(seen, spoken), _sentence(seen, spoken), _picture(seen)
    except NoSuchTableError:
        title, sentence, picture = "Locanda", translations_in(spoken).gettext(GONE), OTHER_PICTURE
    to = f"../#/table/{table}" if TABLE.fullmatch(table) else "../"
    image = f"{public or address(request)}/social/{picture}.png"
    return html_response(_page(title, sentence, image, to, spoken), headers)


def _title(table: Table, language: Language) -> str:
    name = catalogue.details(table.game).name
    return f"{name.it if language == 'it' else name.en} · Locanda"


def _sentence(table: Table, language: Language) -> str:
    """Return who plays, who has won, or how many seats are free."""
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


def _page(title: str, sentence: str, image: str, to: str, language: Language) -> str:
    tags = {"og:type": "website", "og:site_name": "Locanda", "og:title": title, "og:description": sentence}
    lines = [f'<meta property="{name}" content="{escape(text)}">' for name, text in tags.items()]
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="refresh" content="0; url={escape(to)}"><title>{escape(title)}</title>'
        f'<meta name="description" content="{escape(sentence)}">{"".join(lines)}'
        f'<meta property="og:image" content="{escape(image)}"><meta property="og:image:width" content="1200">'
        '<meta property="og:image:height" content="630"><meta name="twitter:card" content="summary_large_image">'
        f'</head><body><p>{escape(sentence)}</p><p><a href="{escape(to)}">{escape(title)}</a></p></body></html>'
    )
