"""The Slack app as a manifest: what it may do and what it is told of. Pure.

https://docs.slack.dev/reference/app-manifest. The scopes say what a feature loses without them, so that
`pestle connect slack` can tell.
"""

from collections.abc import Collection, Mapping
from typing import Any

SCOPES: Mapping[str, str] = {
    "app_mentions:read": "hearing mentions",
    "assistant:write": "Slack's own status and Stop button",
    "canvases:write": "reports as canvases; they come as files then",
    "channels:history": "follow-ups without a mention in public channels",
    "channels:read": "telling who is in a public channel, where not everybody may read everything",
    "chat:write": "posting anything at all",
    "commands": "/pestle and the message shortcuts",
    "files:read": "files that people post",
    "files:write": "pictures, tables and exports as files",
    "groups:history": "follow-ups without a mention in private channels",
    "groups:read": "telling who is in a private channel, where not everybody may read everything",
    "im:history": "direct messages",
    "metadata.message:read": "finding a card again after a crash, so that it is not posted twice",
    "reactions:read": "emoji as reactions",
    "usergroups:read": "user groups as groups of those who may read something",
    "users:read": "telling guests from members, so that guests are kept out unless they are allowed",
}
"""Each right of the bot, and what does not work without it."""
NEEDED = ("app_mentions:read", "chat:write")
"""Without these there is no bot."""
EVENTS = (
    *("app_mention", "message.channels", "message.groups", "message.im", "app_home_opened"),
    *("reaction_added", "reaction_removed", "agent_session_stopped"),
)
SHORTCUTS = (
    ("check_claim", "Check this claim", "What our documents say about a claim in this message"),
    ("refine_section", "Refine this section", "Have this section of a report written anew"),
)
PROMPTS = (
    ("What can I ask?", "help"),
    ("Ask about a study", "What was the NOAEL of AB-123 in rats?"),
)


def manifest(address: str = "", *, name: str = "Pestle") -> dict[str, Any]:
    """The app for a bot that Slack reaches at `address` ("https://pestle.example"), or, without one, through
    a socket.
    """
    told = {"command": "/pestle", "description": "Ask Pestle; only you see the answer"}
    command = {**told, "usage_hint": "your question, or help", "should_escape": True}
    features: dict[str, Any] = {
        "app_home": {
            "home_tab_enabled": True,
            "messages_tab_enabled": True,
            "messages_tab_read_only_enabled": False,
        },
        "bot_user": {"display_name": name, "always_online": True},
        "agent_view": {
            "agent_description": "Answers from your archive, with the verbatim passage behind every claim.",
            "suggested_prompts": [{"title": title, "message": message} for title, message in PROMPTS],
        },
        "shortcuts": [
            {"name": title, "type": "message", "callback_id": callback, "description": what}
            for callback, title, what in SHORTCUTS
        ],
        "slash_commands": [command | ({"url": f"{address}/slack/commands"} if address else {})],
    }
    return {
        "display_information": {
            "name": name,
            "description": "A pharmaceutical co-scientist that shows its evidence.",
            "background_color": "#1d3b53",
        },
        "features": features,
        "oauth_config": {"scopes": {"bot": list(SCOPES)}},
        "settings": _settings(address),
    }


def missing(granted: Collection[str]) -> dict[str, str]:
    """The rights that were not granted, each with what does not work without it."""
    return {scope: what for scope, what in SCOPES.items() if scope not in granted}


def _settings(address: str) -> dict[str, Any]:
    heard: dict[str, Any] = {"bot_events": list(EVENTS)}
    people: dict[str, Any] = {"is_enabled": True}
    if address:
        heard["request_url"] = f"{address}/slack/events"
        people["request_url"] = f"{address}/slack/interactive"
    return {
        "event_subscriptions": heard,
        "interactivity": people,
        "org_deploy_enabled": False,
        "socket_mode_enabled": not address,
        "token_rotation_enabled": False,
    }
