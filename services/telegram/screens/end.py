"""The end of a deal and of a match: ranking, points, the proof of the shuffle, and once more."""

from services.telegram import buttons
from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.scene import Scene
from services.telegram.screens.screen import Button, Screen, joined
from services.telegram.screens.table import title
from services.telegram.screens.text import bold, named
from shared.games.base import Result
from shared.messages import JsonObject
from shared.translate import Language, Words, translator
from shared.words.phrases import medal


def deal_over_screen(
    scene: Scene, deal: int, result: Result, language: Language, event: JsonObject | None = None
) -> Screen:
    """Return the message that ends a deal but not the match; the event that ended it says how."""
    words = translator(language)
    over = words.gettext("Deal {n} of {all} is over.") if scene.deals else words.gettext("Deal {n} is over.")
    how = DRAWINGS[scene.table.game].act(event or {}, [bold(name) for name in scene.names], words)
    text = joined(
        title(scene, language),
        over.format(n=deal, all=scene.deals),
        how,
        ranking(scene, result, words),
        _standing(scene, words) if deal > 1 else "",
    )
    return Screen(text)


def _standing(scene: Scene, words: Words) -> str:
    fewest = DRAWINGS[scene.table.game].fewest_wins
    points = sorted(zip(scene.table.match.points, scene.names, strict=True), reverse=not fewest)
    so_far = words.gettext("In the match so far:")
    return "\n".join([so_far, *(f"{bold(name)} {number}" for number, name in points)])


def match_over_screen(scene: Scene, language: Language, *, rematch: bool = True) -> Screen:
    """Return the message that ends a match."""
    words = translator(language)
    result = scene.table.match.result
    if result is None:
        return Screen(joined(title(scene, language), words.gettext("The table is closed.")))
    text = joined(
        f"🏁 {title(scene, language)}",
        _verdict(scene, result, words),
        ranking(scene, result, words),
        proof(scene, words),
    )
    again = Button(words.gettext("Rematch"), buttons.Rematch(scene.ref, scene.table.match.number), style="success")
    return Screen(text, ((again,),) if rematch else ())


def _verdict(scene: Scene, result: Result, words: Words) -> str:
    first = result.ranking[0]
    if len(first) == 1:
        return words.gettext("{name} wins!").format(name=bold(scene.names[first[0]]))
    return words.gettext("A draw between {names}.").format(names=named(first, scene.names, words))


def ranking(scene: Scene, result: Result, words: Words) -> str:
    """Return the ranking with its points, best first; those who tie share a place."""
    drawing = DRAWINGS[scene.table.game]
    lines, place = [], 0
    for seats in result.ranking:
        lines += [
            f"{medal(place)} {bold(scene.names[seat])} · {drawing.points(result.points[seat], words)}" for seat in seats
        ]
        place += len(seats)
    return "\n".join(lines)


def proof(scene: Scene, words: Words) -> str:
    """Return the proof of the shuffle, folded: commitment, seed, and how to check."""
    match = scene.table.match
    if match.server_seed is None:
        return ""
    how = words.gettext(
        "The shuffle can be checked. Before the deal the house published the fingerprint, now it shows the secret. "
        "SHA-256 of “locanda-shuffle-v1”, table, match and secret gives the fingerprint; "
        "verify.py, in Locanda's source, deals the cards again from it."
    )
    facts = (
        (words.gettext("Table"), scene.table.id),
        (words.gettext("Match"), str(match.number)),
        (words.gettext("Fingerprint"), match.commitment),
        (words.gettext("Secret"), match.server_seed),
    )
    lines = "\n".join(f"{name}: <code>{value}</code>" for name, value in facts)
    return f"<blockquote expandable>{how}\n{lines}</blockquote>"
