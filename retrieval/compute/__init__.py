"""How models are run: on which device, in which batches, for many callers at a time. Nothing here needs torch
until a torch model is set.
"""
