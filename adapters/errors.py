"""What can go wrong in the skin.

AdapterError
├── SettingsError            a setting is unknown or not right; says which and what to write
├── StorageError             the database cannot be used; says why
│   └── DiskFull             because its disk is full
├── LegalHold                what is to be forgotten must be kept
└── NameTaken                an upload has the name of another file; replacing is asked
"""


class AdapterError(Exception):
    """Base of this floor's errors; the message is fit to be shown to a user."""


class SettingsError(AdapterError):
    """A setting is unknown or not right."""


class StorageError(AdapterError):
    """The database cannot be used."""


class DiskFull(StorageError):
    """The database's disk is full."""


class LegalHold(AdapterError):
    """What is to be forgotten must be kept."""


class NameTaken(AdapterError):
    """An upload has the name of another file of the archive."""
