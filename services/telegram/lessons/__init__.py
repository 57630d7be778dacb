"""Lessons in private chats, and the rules that they teach: the learner's state, screens, buttons."""
