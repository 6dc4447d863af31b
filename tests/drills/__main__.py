"""`python -m tests.drills > docs/drills.md`: what the drills of `make drills` counted."""

import json

from tests.drills.house import COUNTS

HEAD = """# Drills

What `make drills` counted: workers as processes over a Redis and a PostgreSQL of the drill's own (`tests/drills`), runs of five steps, or
questions to an archive. Lost is a run whose thread gets neither an answer nor a reason; doubled a message that fills a place twice; redone a
step that the trail begins again though it was finished; taken a run that a second process works on while the first one lives.

| bad day | runs | answered | ended with a reason | lost | doubled | redone | taken |
|---|---|---|---|---|---|---|---|
"""  # noqa: E501


def main() -> None:
    counted = [json.loads(file.read_text()) for file in sorted(COUNTS.glob("*.json"))]
    rows = "".join(f"| {' | '.join(str(value) for value in one.values())} |\n" for one in counted)
    print(HEAD + rows, end="")


if __name__ == "__main__":
    main()
