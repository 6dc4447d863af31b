"""The bot's ear over a world in memory and a far end."""

from adapters.slack.calls import slack_client
from adapters.slack.ear import Ear
from bot.desk import PersonalPage
from bot.starting import kind_budget
from tests.adapters.slack.far_end import TOKEN, FarEnd
from tests.bot.world import World


def ear_of(end: FarEnd, world: World) -> Ear:
    desk = PersonalPage(world.ledger, world.conversations, world.views, kind_budget)
    return Ear(slack_client(TOKEN, end.url), world.intake, world.outbox, desk)
