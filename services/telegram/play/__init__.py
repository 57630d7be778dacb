"""Logic of the bot that does not depend on Telegram: hands, turns, votes, dates, match history, ratings. No I/O."""
