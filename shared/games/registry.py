"""The wire types of every game, by its name. A new game is one line in each."""

from typing import TypeAlias

from shared.games import diavoletto, gatto_rosso, presidente, ramino

GAME_NAMES = (ramino.NAME, gatto_rosso.NAME, diavoletto.NAME, presidente.NAME)

AnyDeal: TypeAlias = ramino.Deal | gatto_rosso.Deal | diavoletto.Deal | presidente.Deal
AnyView: TypeAlias = ramino.View | gatto_rosso.View | diavoletto.View | presidente.View
