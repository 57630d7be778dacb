"""getMe, the bot's commands by scope and language, and its descriptions."""

from __future__ import annotations

import json
import re

from tests.emulator.refusals import bad_request
from tests.emulator.state import JSON, ChatState, User
from tests.emulator.world import World


def get_me(world: World, _: JSON) -> JSON:
    """Returns the bot's own User object."""
    flags = {"can_join_groups": True, "can_read_all_group_messages": not world.behaviour.privacy}
    flags["supports_guest_queries"] = world.behaviour.guests
    unused = dict.fromkeys(("supports_inline_queries", "can_connect_to_business", "has_main_web_app"), False)
    return world.bot.as_json() | flags | unused


def set_my_commands(world: World, params: JSON) -> bool:
    """Sets the command menu for a scope and a language."""
    commands: list[JSON] = params["commands"]
    if len(commands) > 100:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(command["description"]) <= 256:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    world.commands[_key(params)] = commands
    return True


def get_my_commands(world: World, params: JSON) -> list[JSON]:
    """Returns the commands set for exactly that scope and language."""
    return world.commands.get(_key(params), [])


def delete_my_commands(world: World, params: JSON) -> bool:
    """Deletes the command menu for a scope and a language, so that a wider scope's menu applies."""
    world.commands.pop(_key(params), None)
    return True


def set_text(world: World, params: JSON) -> bool:
    """setMyName, setMyDescription and setMyShortDescription."""
    language = _language(params)
    longest = {"name": 64, "description": 512, "short_description": 120}
    for field in longest.keys() & params.keys():
        if len(params[field] or "") > longest[field]:
            raise bad_request(f"{field.upper()}_TOO_LONG")
        world.texts[field, language] = params[field] or ""
    return True


def get_text(field: str, world: World, params: JSON) -> JSON:
    """getMyName, getMyDescription and getMyShortDescription: the text in a language, else the default text."""
    default = world.texts.get((field, ""), world.bot.name if field == "name" else "")
    return {field: world.texts.get((field, _language(params)), default)}


def commands_for(world: World, user: User, chat: ChatState) -> list[JSON]:
    """Returns a person's menu in a chat: that of the narrowest scope, preferably in the person's language."""
    for scope in _scopes(user, chat):
        for language in (user.language or "", ""):
            commands = world.commands.get((json.dumps(scope, sort_keys=True), language))
            if commands:
                return commands
    return []


def _scopes(user: User, chat: ChatState) -> list[JSON]:
    here: JSON = {"type": "chat", "chat_id": chat.id}
    if chat.private:
        return [here, {"type": "all_private_chats"}, {"type": "default"}]
    commands = chat.commanded_by(user)
    return [
        {"type": "chat_member", "chat_id": chat.id, "user_id": user.id},
        *([{"type": "chat_administrators", "chat_id": chat.id}] if commands else []),
        here,
        *([{"type": "all_chat_administrators"}] if commands else []),
        {"type": "all_group_chats"},
        {"type": "default"},
    ]


def _key(params: JSON) -> tuple[str, str]:
    return json.dumps(params.get("scope") or {"type": "default"}, sort_keys=True), _language(params)


def _language(params: JSON) -> str:
    language = params.get("language_code") or ""
    if not re.fullmatch(r"|[a-z]{2}", language):
        raise bad_request("LANG_CODE_INVALID")
    return str(language)
