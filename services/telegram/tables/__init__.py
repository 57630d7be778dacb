"""Actions at tables: engine calls, with the changes of the bot's own data. Drawing happens elsewhere."""
