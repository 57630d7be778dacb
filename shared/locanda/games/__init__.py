"""The games, a folder each, and what they share.

A game's folder has the same files as every other: `types` (options, moves, deal, view and events on the wire); its
rules in `deal`, `moves`, `play`, `view` and `wire`, which the module `game` here lays down, and the rules for people;
`texts` for every client (`locanda.texts.games`); and how it is shown and played in a chat, in a terminal, on the page
and by computers: `chat`, `lesson`, `terminal`, `page.js`, `page.css` and `player`.
"""
