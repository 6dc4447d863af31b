"""The cache of answers, which all readers share, gives nobody what was written from what they may not see."""

import json
from pathlib import Path

from pydantic import SecretStr

from adapters.model_sections import ModelSettings
from tests.adapters.llm.fake_endpoint import FakeEndpoint, says, serving
from tests.adapters.rights.world import HIDDEN, OPEN, SECRETS, archive, ask

QUESTION = "What was the highest dose of ZK-701, and why was it stopped?"
ANSWERED = "written of the hidden 400 mg"


def asked_of(endpoint: FakeEndpoint) -> str:
    return json.dumps(endpoint.asked)


async def test_the_same_question_is_asked_anew_for_who_reads_less(tmp_path: Path) -> None:
    with serving() as endpoint:
        model = ModelSettings(base_url=endpoint.url, api_key=SecretStr("x"), name="small", retries=0)
        async with archive(tmp_path, OPEN, HIDDEN, model=model) as built:
            endpoint.script(says(json.dumps({"answer": ANSWERED})))
            assert await ask(built, "bea", QUESTION) is not None
            assert [secret for secret in SECRETS if secret in asked_of(endpoint)], "Bea's passages were sent"
            endpoint.script(says("{}"))
            run = await ask(built, "anna", QUESTION)
            assert run is not None
            assert endpoint.asked, "nothing of Bea's answers was taken"
            sent = asked_of(endpoint)
            assert not [secret for secret in SECRETS if secret in sent]
            assert ANSWERED not in sent + run.result
