"""What Slack and Teams publish on an app's manifest: its fields, their limits, the right that an event needs.

Written from https://docs.slack.dev/reference/app-manifest and the documentation of Teams' manifest 1.17, for
the fields that are used; any other is refused. Of Slack's `agent_view` no limits are published: those of its
forerunner, `assistant_view`, stand in.
"""

from typing import Any

from jsonschema import Draft202012Validator

FLAG = {"type": "boolean"}
ADDRESS = {"type": "string", "pattern": r"^https://[^\s/]+(/\S*)?$", "maxLength": 2048}
GUID = {"type": "string", "pattern": r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"}


def _text(most: int, least: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": most, **more}


def _object(needed: str, **fields: Any) -> dict[str, Any]:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": fields,
        "required": needed.split(),
        "additionalProperties": False,
    }


def _list(of: dict[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": of, "minItems": 1, "maxItems": most, "uniqueItems": True}


SLACK = _object(
    "display_information features oauth_config settings",
    display_information=_object(
        "name",
        name=_text(35),
        description=_text(140),
        background_color={"type": "string", "pattern": "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"},
    ),
    features=_object(
        "bot_user",
        app_home=_object(
            "",
            home_tab_enabled=FLAG,
            messages_tab_enabled=FLAG,
            messages_tab_read_only_enabled=FLAG,
        ),
        bot_user=_object("display_name", display_name=_text(80), always_online=FLAG),
        agent_view=_object(
            "agent_description",
            agent_description=_text(300),
            suggested_prompts=_list(_object("title message", title=_text(75), message=_text(2_000)), 4),
        ),
        shortcuts=_list(
            _object(
                "name type callback_id description",
                name=_text(24),
                type={"enum": ["message", "global"]},
                callback_id=_text(255),
                description=_text(150),
            ),
            10,
        ),
        slash_commands=_list(
            _object(
                "command description",
                command=_text(32, pattern=r"^/[a-z0-9_-]+$"),
                description=_text(2_000),
                usage_hint=_text(1_000),
                should_escape=FLAG,
                url=ADDRESS,
            ),
            50,
        ),
    ),
    oauth_config=_object("scopes", scopes=_object("bot", bot=_list(_text(80), 255))),
    settings=_object(
        "event_subscriptions interactivity",
        event_subscriptions=_object("bot_events", bot_events=_list(_text(80), 100), request_url=ADDRESS),
        interactivity=_object("is_enabled", is_enabled=FLAG, request_url=ADDRESS),
        org_deploy_enabled=FLAG,
        socket_mode_enabled=FLAG,
        token_rotation_enabled=FLAG,
    ),
)
RIGHTS: dict[str, tuple[str, ...]] = {
    "agent_session_stopped": ("assistant:write",),
    "app_home_opened": (),
    "app_mention": ("app_mentions:read",),
    "message.channels": ("channels:history",),
    "message.groups": ("groups:history",),
    "message.im": ("im:history",),
    "reaction_added": ("reactions:read",),
    "reaction_removed": ("reactions:read",),
}
"""The rights without which Slack sends an event, or sends it of some places only."""

PLACES = ["team", "personal", "groupChat"]
TEAMS = _object(
    "$schema manifestVersion version id developer name description icons accentColor",
    **{"$schema": {"type": "string", "pattern": r"/v1\.17/MicrosoftTeams\.schema\.json$"}},
    manifestVersion={"const": "1.17"},
    version=_text(256, pattern=r"^\d+\.\d+\.\d+$"),
    id=GUID,
    developer=_object(
        "name websiteUrl privacyUrl termsOfUseUrl",
        name=_text(32),
        websiteUrl=ADDRESS,
        privacyUrl=ADDRESS,
        termsOfUseUrl=ADDRESS,
    ),
    name=_object("short", short=_text(30), full=_text(100)),
    description=_object("short full", short=_text(80), full=_text(4_000)),
    icons=_object("color outline", color=_text(2048), outline=_text(2048)),
    accentColor={"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"},
    bots=_list(
        _object(
            "botId scopes",
            botId=GUID,
            scopes=_list({"enum": PLACES}, 3),
            supportsFiles=FLAG,
            commandLists=_list(
                _object(
                    "scopes commands",
                    scopes=_list({"enum": PLACES}, 3),
                    commands=_list(_object("title description", title=_text(32), description=_text(128)), 10),
                ),
                3,
            ),
        ),
        1,
    ),
    composeExtensions=_list(
        _object(
            "botId commands",
            botId=GUID,
            commands=_list(
                _object(
                    "id title",
                    id=_text(64),
                    type={"const": "action"},
                    title=_text(32),
                    description=_text(128),
                    context=_list({"enum": ["compose", "commandBox", "message"]}, 3),
                    fetchTask=FLAG,
                    parameters=_list(
                        _object(
                            "name title",
                            name=_text(64),
                            title=_text(32),
                            description=_text(128),
                            inputType={"enum": ["text", "textarea", "number", "date", "time", "toggle"]},
                        ),
                        5,
                    ),
                ),
                10,
            ),
        ),
        1,
    ),
    webApplicationInfo=_object("id", id=GUID, resource=_text(2048)),
    authorization=_object(
        "permissions",
        permissions=_object(
            "resourceSpecific",
            resourceSpecific=_list(
                _object("name type", name=_text(128), type={"enum": ["Application", "Delegated"]}), 16
            ),
        ),
    ),
)


def check_slack(told: dict[str, Any]) -> None:
    """Fails where Slack would not take a manifest, or would not send what it subscribes to."""
    Draft202012Validator(SLACK).validate(told)
    granted, settings = set(told["oauth_config"]["scopes"]["bot"]), told["settings"]
    for event in settings["event_subscriptions"]["bot_events"]:
        assert set(RIGHTS[event]) <= granted, event
    features = told["features"]
    assert "commands" in granted or not (features.get("slash_commands") or features.get("shortcuts"))
    addressed = [settings["event_subscriptions"], settings["interactivity"]]
    heard = ["request_url" in one for one in addressed] + ["url" in one for one in features["slash_commands"]]
    assert heard == [not settings["socket_mode_enabled"]] * len(heard), "all by HTTP, or all by the socket"


def check_teams(told: dict[str, Any]) -> None:
    """Fails where Teams would not take a manifest."""
    Draft202012Validator(TEAMS).validate(told)
    assert told["bots"][0]["botId"] == told["composeExtensions"][0]["botId"]
