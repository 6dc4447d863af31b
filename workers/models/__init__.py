"""Encoder and reranker on another machine: one worker computes, the others ask it through Redis.

A request is an entry of a Redis stream, one stream for each kind of work; the answer is a list under a key of
its own. Model workers read the streams as one consumer group, so that Redis itself knows which requests are
in hand, and hands those of a dead worker to a living one (Redis documentation, "Streams: consumer groups").
Runs stay on Dramatiq's queue: they last minutes and need no answer, these last milliseconds and do.
"""
