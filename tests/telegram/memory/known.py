"""Who and what the tests of the memory speak of."""

from services.telegram.records import Room

GROUP, ANNA, BRUNO = -500, 11, 12
ROOM = Room("Ab3-Ef_8", GROUP, None, "A", "gatto_rosso", ANNA)
