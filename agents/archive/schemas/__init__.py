"""The schema library: one TOML file per question type. `agents.archive.library` loads them; `README.md`
explains them.
"""
