"""The forms of what Slack sends: of each only the fields that are used, each of its type and size."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, model_validator

from adapters.door import without_nul

Name = Annotated[str, Field(max_length=80, pattern=r"^[A-Za-z0-9_.:\-]*$")]
"""Ids, types and time stamps as Slack makes them."""
MaybeName: TypeAlias = Name | None
Emoji = Annotated[str, Field(max_length=120, pattern=r"^[a-z0-9_+'\-:]*$")]
"""What Slack calls an emoji: "thumbsup::skin-tone-2"."""
Action = Annotated[str, Field(max_length=255), AfterValidator(without_nul)]
Value = Annotated[str, Field(max_length=2_000), AfterValidator(without_nul)]
"""Slack lets a button have no longer one."""
Kept = Annotated[str, Field(max_length=3_000), AfterValidator(without_nul)]
"""What a view keeps of ours."""
Text = Annotated[str, Field(max_length=100_000), AfterValidator(without_nul)]


class File(BaseModel):
    """A file of a message; what else is known of it Slack is asked for."""

    id: Name
    name: Action | None = None


class Message(BaseModel):
    """A message as it is now, or as it was."""

    ts: MaybeName = None
    thread_ts: MaybeName = None
    user: MaybeName = None
    bot_id: MaybeName = None
    subtype: MaybeName = None
    text: Text | None = None


class Item(BaseModel):
    """What somebody reacted to."""

    type: Name
    channel: MaybeName = None
    ts: MaybeName = None


class Event(BaseModel):
    """What happened."""

    type: Name
    channel: MaybeName = None
    user: MaybeName = None
    ts: MaybeName = None
    event_ts: MaybeName = None
    text: Text | None = None
    thread_ts: MaybeName = None
    channel_type: MaybeName = None
    subtype: MaybeName = None
    bot_id: MaybeName = None
    team: MaybeName = None
    user_team: MaybeName = None
    source_team: MaybeName = None
    files: Annotated[list[File], Field(max_length=50)] | None = None
    message: Message | None = None
    previous_message: Message | None = None
    deleted_ts: MaybeName = None
    reaction: Emoji | None = None
    item: Item | None = None
    tab: MaybeName = None


class EventCallback(BaseModel):
    """An event that the app is subscribed to."""

    type: Literal["event_callback"]
    team_id: MaybeName = None
    enterprise_id: MaybeName = None
    event_id: MaybeName = None
    is_ext_shared_channel: bool | None = None
    event: Event


class Verification(BaseModel):
    """Slack asks whether this address is the app's."""

    type: Literal["url_verification"]
    challenge: Value


class Person(BaseModel):
    """Who pressed."""

    id: Name
    team_id: MaybeName = None


class Place(BaseModel):
    """A channel or a team."""

    id: Name


class Shown(BaseModel):
    """The message with the button, or the one that a shortcut was taken on."""

    ts: Name
    thread_ts: MaybeName = None
    user: MaybeName = None
    bot_id: MaybeName = None
    text: Text | None = None


class Container(BaseModel):
    """Where a button stands, also one that a single person sees."""

    message_ts: MaybeName = None
    thread_ts: MaybeName = None
    is_ephemeral: bool | None = None


class Chosen(BaseModel):
    """The option of a menu."""

    value: Value


class Pressed(BaseModel):
    """The button, or the menu with what was chosen."""

    action_id: Action
    action_ts: Name
    block_id: Action | None = None
    type: MaybeName = None
    value: Value | None = None
    selected_option: Chosen | None = None


class Input(BaseModel):
    """A field of a view."""

    type: MaybeName = None
    value: Kept | None = None
    selected_option: Chosen | None = None


class State(BaseModel):
    """What the fields of a view hold, by block and action."""

    values: Annotated[dict[Action, dict[Action, Input]], Field(max_length=20)]


class View(BaseModel):
    """A modal or a home in which something was pressed."""

    id: MaybeName = None
    type: MaybeName = None
    callback_id: Action | None = None
    private_metadata: Kept | None = None


class Modal(BaseModel):
    """A modal that was sent."""

    id: Name
    type: Literal["modal"]
    callback_id: Action
    private_metadata: Kept | None = None
    state: State | None = None


class Press(BaseModel):
    """A button was pressed, or an option chosen, in a message, a modal or the app's home."""

    type: Literal["block_actions"]
    team: Place | None = None
    user: Person
    channel: Place | None = None
    message: Shown | None = None
    container: Container | None = None
    view: View | None = None
    trigger_id: Action | None = None
    actions: Annotated[list[Pressed], Field(min_length=1, max_length=25)]

    @model_validator(mode="after")
    def _stands_somewhere(self) -> Self:
        if not (self.view or (self.channel and (self.message or self.container))):
            raise ValueError("a button stands in a message or in a view")
        return self


class Shortcut(BaseModel):
    """A shortcut was taken on a message."""

    type: Literal["message_action"]
    callback_id: Action
    trigger_id: Action
    team: Place | None = None
    user: Person
    channel: Place
    message: Shown


class Submission(BaseModel):
    """A modal was filled in."""

    type: Literal["view_submission"]
    team: Place | None = None
    user: Person
    view: Modal


class SlashCommand(BaseModel):
    """`/pestle …`"""

    command: Annotated[str, Field(max_length=80, pattern=r"^/[\w-]+$")]
    text: Text | None = None
    user_id: Name
    team_id: MaybeName = None
    enterprise_id: MaybeName = None
    channel_id: Name
    trigger_id: Action


EVENTS: TypeAdapter[EventCallback | Verification] = TypeAdapter(
    Annotated[EventCallback | Verification, Field(discriminator="type")]
)
INTERACTIONS: TypeAdapter[Press | Shortcut | Submission] = TypeAdapter(
    Annotated[Press | Shortcut | Submission, Field(discriminator="type")]
)
COMMANDS = TypeAdapter(SlashCommand)
