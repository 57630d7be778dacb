"""The sentence that announces maintenance."""

from locanda.translations import Translations

HOUR, DAY = 60, 1440
SOON = 90
"""Up to this number of minutes, the sentence gives the time in minutes."""


def maintenance_text(minutes: float, words: str, translations: Translations) -> str:
    """Return the sentence. `minutes` is the time until maintenance begins, `words` is the operator's text."""
    return " ".join(filter(None, (_beginning(minutes, translations), words)))


def _beginning(minutes: float, translations: Translations) -> str:
    if minutes <= 0:
        return translations.gettext("Maintenance is under way: games may pause, and go on afterwards.")
    if minutes <= SOON:
        text = translations.ngettext(
            "Maintenance begins in {n} minute: games may pause, and go on afterwards.",
            "Maintenance begins in {n} minutes: games may pause, and go on afterwards.",
            shown := max(1, round(minutes)),
        )
    elif minutes < 2 * DAY:
        text = translations.ngettext(
            "Maintenance begins in {n} hour: games may pause, and go on afterwards.",
            "Maintenance begins in {n} hours: games may pause, and go on afterwards.",
            shown := round(minutes / HOUR),
        )
    else:
        text = translations.ngettext(
            "Maintenance begins in {n} day: games may pause, and go on afterwards.",
            "Maintenance begins in {n} days: games may pause, and go on afterwards.",
            shown := round(minutes / DAY),
        )
    return text.format(n=shown)
