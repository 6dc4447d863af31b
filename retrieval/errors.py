"""What can go wrong while finding.

RetrievalError
├── DocumentError            one document cannot be used; the others go on
│   ├── UnsupportedFormat    no parser for this kind of file
│   ├── CorruptDocument      the file is damaged or not what its name says
│   ├── EncryptedDocument    a password is needed
│   ├── DocumentTooLarge     over a size, page or expansion limit (zip bombs end here)
│   └── ParserDied           the process that read the file crashed, hung or ran out of memory
├── ArchiveNotFound          the folder to ingest, or the index to search, does not exist
├── EditRefused              a record cannot be edited so
├── SourceDown               a bucket cannot be reached, or does not let us in
├── IndexBusy                another process is writing to the index
├── IndexUnavailable         the server that keeps the index does not answer
├── IndexForbidden           the server that keeps the index does not accept us, or not for this
├── IndexDamaged             the index file fails its own check, or was made by another version
├── EncoderMismatch          the index holds vectors of another encoder than the one set
├── StorageFull              the disk ran full; the last complete document is kept
├── WeightsError             model weights are missing or do not match their checksum
├── ModelOverloaded          too many requests wait for the encoder or the reranker
├── DeviceError              the device or precision set for a model is not there
├── ModelsMissing            a torch model is set and the extra `models` is not installed
├── ModelsUnavailable        the model workers, or the queue to them, cannot be reached
└── JudgementsError          judged queries are not in BEIR's form

Every message says what happened and what to do next.
"""

import errno

FULL = (errno.ENOSPC, errno.EDQUOT)
"""Numbers of an `OSError` that says that a disk, or what somebody may have of it, is full."""


class RetrievalError(Exception):
    """Base of this floor's errors; the message is fit to be shown to a user."""


class DocumentError(RetrievalError):
    """One document cannot be used."""


class UnsupportedFormat(DocumentError):
    """No parser knows this kind of file."""


class CorruptDocument(DocumentError):
    """The file is damaged, empty, or not what its name says."""


class EncryptedDocument(DocumentError):
    """The file needs a password."""


class DocumentTooLarge(DocumentError):
    """The file is over a size, page or expansion limit."""


class ParserDied(DocumentError):
    """The process that read the file crashed, hung or ran out of memory."""


class ArchiveNotFound(RetrievalError):
    """The folder or index named does not exist."""


class EditRefused(RetrievalError):
    """A field or value that a record cannot take."""


class SourceDown(RetrievalError):
    """A source of documents cannot be reached, or does not let us in."""


class IndexBusy(RetrievalError):
    """Another process holds the index for writing."""


class IndexUnavailable(RetrievalError):
    """The index's server does not answer."""


class IndexForbidden(RetrievalError):
    """The index's server does not let us in."""


class IndexDamaged(RetrievalError):
    """The index file fails its own check."""


class EncoderMismatch(RetrievalError):
    """The index was made with another encoder."""


class StorageFull(RetrievalError):
    """The disk is full."""


class WeightsError(RetrievalError):
    """Model weights are missing or not the expected ones."""


class ModelOverloaded(RetrievalError):
    """Too many requests wait for a model; this one was not taken in."""


class ModelsUnavailable(RetrievalError):
    """Nobody answers for the encoder and the reranker."""


class DeviceError(RetrievalError):
    """A device or precision that a model cannot run with here."""


class ModelsMissing(RetrievalError):
    """The libraries of torch models are not installed."""


class JudgementsError(RetrievalError):
    """Judged queries are not in form, or there are none."""
