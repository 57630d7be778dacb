"""Lessons in private chats and pages of rules: the learner's state, screens and buttons."""
