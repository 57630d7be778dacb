"""The wire types of every game, by its name. A new game is one line in each."""

from typing import TypeAlias

from shared.games import diavoletto, gatto_rosso, presidente, ramino

GAME_NAMES = (gatto_rosso.NAME, ramino.NAME, diavoletto.NAME, presidente.NAME)

AnyDeal: TypeAlias = gatto_rosso.Deal | ramino.Deal | diavoletto.Deal | presidente.Deal
AnyView: TypeAlias = gatto_rosso.View | ramino.View | diavoletto.View | presidente.View
