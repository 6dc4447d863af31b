"""The names under which runs wait, in Redis and in a process alike."""

PIPELINE_QUEUE = "pipeline"
RUN_ACTOR = "carry_run"
"""Never changed: messages of an older Pestle that still wait name it."""
