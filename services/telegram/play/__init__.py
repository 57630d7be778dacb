"""What is played, waits, is voted on, rated and taught at the tables of a chat, whichever chat it is. Pure."""
