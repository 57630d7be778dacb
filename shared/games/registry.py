"""The wire types of every game, by its name. A new game is one line here."""

from shared.games import gatto_rosso

GAME_NAMES = (gatto_rosso.NAME,)

AnyDeal = gatto_rosso.Deal
AnyView = gatto_rosso.View
