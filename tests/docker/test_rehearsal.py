"""A team's first hour in containers: every image built, everything started, a question asked in Slack."""

import os
import re
import subprocess
import sys

import pytest

from tests.support.services import ROOT, missing

WITHIN_S = 300


@pytest.mark.drill
@pytest.mark.timeout(3600)
def test_a_question_in_slack_is_answered_within_five_minutes_of_a_bare_start_and_after_a_restore() -> None:
    if not os.environ.get("PESTLE_TEST_CONTAINERS"):
        missing("containers", "start a Docker engine with Compose, and set PESTLE_TEST_CONTAINERS=yes")
    command = [sys.executable, ROOT / "docker/rehearse", "--slack"]
    said = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True).stdout
    before, after = said.split("restored into empty volumes")
    [seconds] = re.findall(r"from start to answer: (\d+) s", before)
    assert int(seconds) <= WITHIN_S
    assert "5 mg" in before
    assert "5 mg" in after
    [codes] = re.findall(r"exit codes: (.*)", said)
    assert set(re.findall(r"\d+", codes)) == {"0"}, "what is told to end ends by itself"
