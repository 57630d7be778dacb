"""Which parcel goes next: decided from the parcels that wait, the pace and the time alone."""

from collections.abc import Iterable

from services.telegram.outbox.pace import Pace
from services.telegram.outbox.parcels import Parcel, Priority


def choose(parcels: Iterable[Parcel], pace: Pace, now: float) -> Parcel | float | None:
    """Return the weightiest parcel that may go now, or else the time at which one may; nothing where none waits."""
    dues = [(parcel, _due(parcel, pace, now)) for parcel in parcels]
    ready = [parcel for parcel, due in dues if due <= now]
    if not ready:
        return min((due for _, due in dues), default=None)
    due_to_all = pace.all_due(now)
    return due_to_all if due_to_all > now else min(ready, key=lambda parcel: parcel.rank)


def _due(parcel: Parcel, pace: Pace, now: float) -> float:
    """Return the time before which a parcel does not go; another drawing of the table leaves the group its reserve."""
    spare = parcel.priority >= Priority.TABLE and parcel.message is not None
    return max(parcel.ready, pace.due(parcel.to.chat, now, spare=spare))
