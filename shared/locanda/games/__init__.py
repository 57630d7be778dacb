"""The games, a folder each, and what they share.

A game's folder has the same files as every other: `types` (options, moves, the fields of a deal, what a view shows, and
events); its rules in `deal`, `moves` and `play`, or in `rules`, and the rules for people;
`texts` for every client (`locanda.texts.games`); and how it is shown and played in a chat, in a terminal, on the page
and by computers: `chat`, `lesson`, `terminal`, `page.js`, `page.css` and `player`.
"""
