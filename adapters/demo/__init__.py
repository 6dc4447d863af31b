"""The demo archive:
four invented molecules of an invented company, 27 documents in nine formats, with gold answers.
"""
