"""The page inside Telegram: who has opened it, and what it asks of the bot about a table and its group."""
