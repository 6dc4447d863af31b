"""What is let in from Teams: an activity of a form that we know, in the fields that are used.

Nothing behind this door meets a value that Teams could not have sent.
"""

from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import from_json

from adapters.door import Refused, without_nul

MESSAGE, INVOKE, REACTION = "message", "invoke", "messageReaction"
INSTALLED, CONVERSATION = "installationUpdate", "conversationUpdate"
EDITED, DELETED = "messageUpdate", "messageDelete"
HEARD = (MESSAGE, INVOKE, REACTION, INSTALLED, CONVERSATION, EDITED, DELETED)
"""Activities whose content is looked at; of others only the type is."""

Name = Annotated[str, Field(max_length=500), AfterValidator(without_nul)]
"""Ids, types and names."""
MaybeName: TypeAlias = Name | None
Text = Annotated[str, Field(max_length=100_000), AfterValidator(without_nul)]


class _Sent(BaseModel):
    """A part of an activity; what is not used of it is left out."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True)


class Account(_Sent):
    """A person or a bot. `aad_object_id` is the person's id in the company's directory."""

    id: Name = ""
    name: MaybeName = None
    aad_object_id: MaybeName = None


class Place(_Sent):
    """A conversation. That of a channel's thread ends with ";messageid=" and the id of its first message."""

    id: Name
    conversation_type: MaybeName = None
    tenant_id: MaybeName = None


class Named(_Sent):
    """A tenant, a team or a channel."""

    id: MaybeName = None
    name: MaybeName = None
    type: MaybeName = None


class ChannelData(_Sent):
    """What only Teams tells."""

    tenant: Named | None = None
    team: Named | None = None
    channel: Named | None = None
    event_type: MaybeName = None


class Entity(_Sent):
    """Metadata of a text. A mention has `mentioned`, and the `text` that it stands for."""

    type: MaybeName = None
    mentioned: Account | None = None
    text: Text | None = None


class Attachment(_Sent):
    """Something attached: a file has what it is downloaded from in `content`."""

    content_type: MaybeName = None
    content_url: Annotated[str, Field(max_length=8_000)] | None = None
    name: MaybeName = None
    content: Any = None


class ReactionSet(_Sent):
    """An emoji of a message, as Teams calls it ("like", "heart", "2705_whiteheavycheckmark")."""

    type: Name


class Activity(_Sent):
    """Something that happened in Teams."""

    type: Name
    id: Name = ""
    name: MaybeName = None
    action: MaybeName = None
    timestamp: Name = ""
    service_url: Name = ""
    channel_id: MaybeName = None
    sender: Annotated[Account, Field(alias="from")] = Account()
    recipient: Account = Account()
    conversation: Place = Place(id="")
    text: Text | None = None
    reply_to_id: MaybeName = None
    value: Any = None
    entities: Annotated[list[Entity], Field(max_length=500)] | None = None
    attachments: Annotated[list[Attachment], Field(max_length=50)] | None = None
    channel_data: ChannelData | None = None
    members_added: Annotated[list[Account], Field(max_length=10_000)] | None = None
    members_removed: Annotated[list[Account], Field(max_length=10_000)] | None = None
    reactions_added: Annotated[list[ReactionSet], Field(max_length=100)] | None = None
    reactions_removed: Annotated[list[ReactionSet], Field(max_length=100)] | None = None


def activity_of(body: bytes) -> Activity:
    """What Teams says. Raises `Refused`."""
    try:
        return Activity.model_validate(_of_concern(from_json(body)))
    except (ValueError, ValidationError, RecursionError):
        raise Refused(400, "The request has no form that activities of Teams have.") from None


def _of_concern(content: Any) -> Any:
    """Of an activity that is none of ours only what every one has: their forms are many."""
    if isinstance(content, dict) and content.get("type") not in HEARD:
        kept = ("type", "id", "timestamp", "serviceUrl", "channelId", "conversation")
        return {name: content[name] for name in kept if name in content}
    return content
