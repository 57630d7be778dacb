"""Storage of the bot's data in Redis."""
