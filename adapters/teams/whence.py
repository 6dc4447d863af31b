"""Who acted in Teams, in which conversation, and how the bot writes there. Pure."""

from adapters.teams.inbound import DELETED, EDITED, MESSAGE, Activity
from adapters.teams.places import CHANNEL, Person, Reference, thread_of, with_bot
from bot.values import Origin, ThreadRef


def origin_of(activity: Activity, home: str) -> Origin:
    """Which tenant somebody writes from, and who reads along. What is not named is foreign, and so is who has
    no id in a directory, such as who joined a meeting without an account.
    """
    data = activity.channel_data
    told = (data.tenant.id if data and data.tenant else None, activity.conversation.tenant_id)
    tenants = tuple(sorted({one for one in told if one}))
    if not activity.sender.aad_object_id:
        tenants = ()
    return Origin(tenants, tenants != (home,), is_shared(activity), alone_with_us(activity))


def is_shared(activity: Activity) -> bool:
    """Whether something happened in a channel shared with another team or organisation."""
    data = activity.channel_data
    return bool(data and data.channel and data.channel.type == "shared")


def alone_with_us(activity: Activity) -> bool:
    """Whether something happened in a chat of one person with the bot."""
    return with_bot(activity.conversation.conversation_type, activity.conversation.id)


def reference_of(activity: Activity) -> Reference:
    """How the bot writes to the conversation in which something happened."""
    data, place = activity.channel_data, activity.conversation
    roster = place.id
    if place.conversation_type == CHANNEL:
        roster = data.team.id or "" if data and data.team and not is_shared(activity) else ""
    return Reference(activity.service_url, activity.recipient.id, roster)


def met(activity: Activity) -> Person:
    """How the bot writes to who acted, alone; the chat is "" where they did so in another place."""
    tenant = activity.channel_data.tenant if activity.channel_data else None
    return Person(
        activity.service_url,
        activity.recipient.id,
        activity.sender.id,
        (tenant.id if tenant else None) or activity.conversation.tenant_id or "",
        activity.conversation.id if alone_with_us(activity) else "",
    )


def thread_of_activity(activity: Activity) -> ThreadRef:
    """The thread that an activity belongs to."""
    channel = activity.conversation.conversation_type == CHANNEL
    begins = activity.id if activity.type in (MESSAGE, EDITED, DELETED) else activity.reply_to_id or ""
    return thread_of(activity.conversation.id, channel=channel, message_id=begins)


def key_of(activity: Activity) -> str:
    """The activity's id among those of all conversations."""
    return f"{activity.conversation.id}.{activity.id}"


def person(activity: Activity) -> str:
    """A person's id in the company's directory, which every bot sees the same, else the one for this bot."""
    return activity.sender.aad_object_id or activity.sender.id
