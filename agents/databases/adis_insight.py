"""AdisInsight: an interface without data. Its content is sold, so that it has to be asked by a subscriber."""

from agents.databases.database import Database
from agents.databases.facts import Topic
from agents.databases.ports import Reach
from agents.databases.target import Target
from agents.databases.target_tool import TargetArguments, Told, not_asked, target_tool
from agents.databases.targets import Targets
from agents.tools.tool import Tool

ADIS = Database(
    name="adisinsight",
    title="AdisInsight",
    tells="drug development and safety profiles; needs a subscription",
    licence="subscription (Springer Nature)",
    page="https://adisinsight.springer.com/",
    live=False,
)


def adis_insight_tool(reach: Reach, targets: Targets) -> Tool[TargetArguments]:
    """The tool `adis_insight`, which says that it needs a subscription."""

    async def ask(target: Target) -> Told:
        return not_asked(
            f"{ADIS.title} was not asked about {target.symbol}: it needs a subscription. With one, search at "
            f"{ADIS.page} and upload what you find as a source."
        )

    return target_tool(
        "adis_insight",
        "Drug development and safety profiles of AdisInsight. It needs a subscription: the reply says so.",
        ADIS,
        reach,
        targets,
        ask,
        (Topic.DRUG, Topic.ADVERSE_EVENT),
    )
