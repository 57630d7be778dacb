"""Diavoletto: two race to empty their mazzetto on common builds that climb from the Ace to the King."""
