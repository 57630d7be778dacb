"""Gatto Rosso Gatto Grigio: beat the top card with a higher card of its suit, or with any card of the next suit."""
