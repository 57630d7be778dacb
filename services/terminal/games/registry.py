"""How every game looks, by its name. A new game is one line here."""

from typing import Any, TypeAlias

from services.terminal.games.diavoletto import DIAVOLETTO
from services.terminal.games.drawing import Drawing
from services.terminal.games.gatto_rosso import GATTO_ROSSO
from services.terminal.games.presidente import PRESIDENTE
from services.terminal.games.ramino import RAMINO
from shared.games import diavoletto, gatto_rosso, presidente, ramino

AnyDrawing: TypeAlias = Drawing[Any]

DRAWINGS: dict[str, AnyDrawing] = {
    ramino.NAME: RAMINO,
    gatto_rosso.NAME: GATTO_ROSSO,
    diavoletto.NAME: DIAVOLETTO,
    presidente.NAME: PRESIDENTE,
}
