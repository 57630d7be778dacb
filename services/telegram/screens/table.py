"""The table in the group: what all may see, and for whom it waits."""

from services.telegram import buttons
from services.telegram.screens.acts import told
from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.scene import Scene, game_name
from services.telegram.screens.screen import Button, Screen, joined
from services.telegram.screens.text import bold, moment, plain
from shared.translate import Language, Words, translator


def table_screen(scene: Scene, language: Language) -> Screen:
    """Return the table of the deal under way."""
    words = translator(language)
    if scene.turn is None:
        return Screen(joined(heading(scene, language), table_block(scene, words), told(scene, words)))
    text = joined(
        heading(scene, language),
        table_block(scene, words),
        seats_block(scene, words),
        told(scene, words),
        waiting(scene, words),
    )
    hand = Button(words.gettext("My hand"), buttons.Hand(scene.ref), style="primary")
    rules = Button(words.gettext("Rules"), buttons.OpenRules(scene.ref))
    return Screen(text, ((hand, rules),))


def finished_deal_screen(scene: Scene, deal: int, language: Language) -> Screen:
    """Return what stays of the table's message once its deal is over."""
    words = translator(language)
    over = words.gettext("Deal {n} is over.").format(n=deal)
    return Screen(joined(title(scene, language), over))


def title(scene: Scene, language: Language) -> str:
    """Return the game and, where there are several, the table's letter."""
    words = translator(language)
    name = f"{DRAWINGS[scene.table.game].icon} {bold(game_name(scene.game, language))}"
    letter = words.gettext("table {letter}").format(letter=scene.letter) if scene.letter else ""
    return " · ".join(part for part in (name, plain(scene.place), letter) if part)


def heading(scene: Scene, language: Language) -> str:
    """Return the title and, in a match of several deals, which deal this is."""
    words = translator(language)
    deals, deal = scene.deals, scene.table.match.deal
    if deals == 1 or (deals is None and deal < 2):
        return title(scene, language)
    which = words.gettext("deal {n} of {all}") if deals else words.gettext("deal {n}")
    return f"{title(scene, language)} · {which.format(n=deal, all=deals)}"


def table_block(scene: Scene, words: Words) -> str:
    """Return what lies open on the table."""
    lines = DRAWINGS[scene.table.game].table(scene.table.deal, scene.names, words)
    return "\n".join(line for line in lines if line)


def seats_block(scene: Scene, words: Words) -> str:
    """Return who sits at the table, what each holds, and whose turn it is."""
    return "\n".join(_seat_line(scene, seat, words) for seat in range(len(scene.table.seats)))


def _seat_line(scene: Scene, seat: int, words: Words) -> str:
    drawing = DRAWINGS[scene.table.game]
    mark = "▶️" if seat == scene.turn else "▫️"
    notes = [drawing.tally(scene.table.deal, seat, words)]
    if scene.table.match.deal > 1:
        notes.append(words.gettext("match: {n}").format(n=scene.table.match.points[seat]))
    if scene.table.seats[seat].away:
        notes.append(words.gettext("away"))
    if seat in scene.unreachable:
        notes.append(words.gettext("cannot be reached"))
    return f"{mark} {bold(scene.names[seat])} · {' · '.join(notes)}"


def waiting(scene: Scene, words: Words) -> str:
    """Return for whom the table waits, and until when on the reader's own clock."""
    if scene.turn is None:
        return ""
    whose = words.gettext("It is {name}'s turn").format(name=bold(scene.names[scene.turn]))
    return f"{whose}{due(scene, words)}"


def due(scene: Scene, words: Words) -> str:
    """Return the deadline of a person's turn; a computer player has none that matters."""
    if scene.turn is None or scene.table.deadline is None or not scene.table.turn_seconds:
        return ""
    seat = scene.table.seats[scene.turn]
    if seat.kind == "computer" or seat.away:
        return ""
    return f" · ⏳ {moment(scene.table.deadline, scene.now, words)}"
