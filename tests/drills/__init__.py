"""Bad days of a team's house, as it runs: workers as processes over Redis and a database of their own."""
