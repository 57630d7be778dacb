"""The page inside Telegram: its user, and its calls to the bot about a table and its group."""
