"""Actions at tables: calls of the engine, and the changes of the bot's own data with them. Nothing here draws."""
