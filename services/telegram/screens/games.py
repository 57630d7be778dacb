"""How every game looks, by its name. A new game is one line here."""

from typing import Any, TypeAlias

from services.telegram.screens.diavoletto import DIAVOLETTO
from services.telegram.screens.drawing import Drawing
from services.telegram.screens.gatto_rosso import GATTO_ROSSO
from services.telegram.screens.presidente import PRESIDENTE
from services.telegram.screens.ramino import RAMINO
from shared.games import diavoletto, gatto_rosso, presidente, ramino

AnyDrawing: TypeAlias = Drawing[Any]

DRAWINGS: dict[str, AnyDrawing] = {
    ramino.NAME: RAMINO,
    gatto_rosso.NAME: GATTO_ROSSO,
    diavoletto.NAME: DIAVOLETTO,
    presidente.NAME: PRESIDENTE,
}
