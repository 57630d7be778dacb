"""What people do at tables: calls of the engine, and changes of the bot's own data with them. Nothing here draws."""
