"""Diavoletto: two players race to empty their own pile, the mazzetto, onto shared builds from the Ace to the King."""
