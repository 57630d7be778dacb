"""The hand: in the private chat with its cards as buttons, or as an alert in the group. For its holder's eyes only."""

from services.telegram import buttons
from services.telegram.buttons import Move
from services.telegram.screens.acts import told
from services.telegram.screens.drawing import Selecting
from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.scene import Scene
from services.telegram.screens.screen import ALERT_LIMIT, Button, Rows, Screen, joined
from services.telegram.screens.selecting import selecting_rows, verdict
from services.telegram.screens.table import due, heading, seats_block, table_block, waiting
from services.telegram.screens.text import bold, plain, shortened
from shared.translate import Language, Words, translator


def hand_screen(scene: Scene, language: Language) -> Screen:
    """Return a player's hand message; the scene's table is his own view."""
    words = translator(language)
    if scene.table.status == "over" or scene.turn is None:
        return Screen(joined(heading(scene, language), words.gettext("The match is over.")))
    marked = [bold(name) for name in scene.names]
    text = joined(
        heading(scene, language),
        table_block(scene, words),
        seats_block(scene, words),
        told(scene, words),
        "\n".join(DRAWINGS[scene.table.game].secrets(scene.table.deal, marked, words)),
        _task(scene, words),
        verdict(scene, words),
    )
    return Screen(text, _rows(scene, words))


def _task(scene: Scene, words: Words) -> str:
    if _away(scene):
        return words.gettext("A computer player is holding your hand. Tap “I am back” to take it again.")
    if scene.turn != scene.table.you:
        return waiting(scene, words)
    drawing = DRAWINGS[scene.table.game]
    yours = words.gettext("Your turn")
    return f"👉 <b>{yours}</b>{due(scene, words)}\n{plain(drawing.task(scene.table.deal, scene.table.moves, words))}"


def _away(scene: Scene) -> bool:
    return scene.table.you is not None and scene.table.seats[scene.table.you].away


def _rows(scene: Scene, words: Words) -> Rows:
    drawing = DRAWINGS[scene.table.game]
    back = Button(words.gettext("I am back"), buttons.Return(scene.ref), style="success")
    leave = Button(words.gettext("Leave the table"), buttons.Leave(scene.ref))
    rules = Button(words.gettext("Rules"), buttons.OpenRules(scene.ref))
    if _away(scene):
        return ((back,), (rules, leave))

    if isinstance(drawing.playing, Selecting):
        return (*selecting_rows(scene, drawing.playing, words), (rules, leave))

    def make(code: str) -> Button:
        return Button(code, Move(scene.ref, scene.table.version, code))

    return (*drawing.playing.buttons(scene.table.deal, scene.table.moves, make, words), (rules, leave))


def leave_screen(scene: Scene, language: Language) -> Screen:
    """Ask whether the player really means to go."""
    words = translator(language)
    question = words.gettext("Leave the table? A computer player will play your hand to the end.")
    yes = Button(words.gettext("Yes, I leave"), buttons.Leave(scene.ref, sure=True), style="danger")
    no = Button(words.gettext("No, I stay"), buttons.Leave(scene.ref, sure=None))
    return Screen(joined(heading(scene, language), question), ((yes, no),))


def left_screen(place: str, language: Language) -> Screen:
    """Return what stays of the hand message of somebody who has left."""
    text = translator(language).gettext("You have left the table in {place}.")
    return Screen(text.format(place=bold(place)))


def hand_alert(scene: Scene, language: Language) -> str:
    """Return the hand as an alert for the one who tapped: plain text, within Telegram's limit."""
    words = translator(language)
    if scene.table.deal is None or scene.turn is None:
        return words.gettext("No cards are dealt now.")
    drawing = DRAWINGS[scene.table.game]
    held = words.gettext("Your hand: {cards}").format(cards=drawing.hand(scene.table.deal, words) or "—")
    if scene.turn == scene.table.you:
        then = drawing.task(scene.table.deal, scene.table.moves, words)
    else:
        then = words.gettext("It is {name}'s turn").format(name=scene.names[scene.turn])
    return shortened(f"{held}\n{then}", ALERT_LIMIT)
