"""How every game looks, by its name. A new game is one line here."""

from typing import Any, TypeAlias

from services.telegram.screens.drawing import Drawing
from services.telegram.screens.gatto_rosso import GATTO_ROSSO
from shared.games import gatto_rosso

AnyDrawing: TypeAlias = Drawing[Any]

DRAWINGS: dict[str, AnyDrawing] = {gatto_rosso.NAME: GATTO_ROSSO}
