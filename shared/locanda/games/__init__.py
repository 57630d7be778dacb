"""The games, each in its own folder, and the code that they share.

Every game's folder has the same files:

- `types`: options, moves, the state of a deal, views and events.
- `deal`, `moves` and `play`, or `rules`: the rules in code; `rules.en.md` and `rules.it.md`: the rules for people.
- `texts`: the game's sentences, for every client (`locanda.texts.games`).
- `chat`, `lesson`, `terminal`, `page.js`, `page.css`: how clients show and teach the game.
- `player`: its computer players.
"""
