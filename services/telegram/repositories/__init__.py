"""The bot's Redis."""
