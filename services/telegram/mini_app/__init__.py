"""Server of the Mini App (the web page inside Telegram): verification of its user, and its calls to the bot."""
