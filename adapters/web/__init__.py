"""The web page of `pestle up`: threads, live run cards, cited answers, the archive. One process, local by
default.
"""
