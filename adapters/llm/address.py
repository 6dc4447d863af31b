"""The endpoint's address, apart from the user and password that may stand in it."""

from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from adapters.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Address:
    """Where requests go, what people may read of it, and user and password if the endpoint wants them."""

    url: str
    shown: str
    login: tuple[str, str] | None = None

    def __repr__(self) -> str:
        return self.shown


def address_of(url: str) -> Address:
    """The parts of a base address. Raises `SettingsError`, which does not repeat the address."""
    parts = _split(url)
    if parts is None:
        raise SettingsError(
            "model.base_url is no address such as http://localhost:8125/v1. "
            "In a user name or password write / as %2F, @ as %40 and : as %3A."
        )
    user, at, host = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    return Address(
        urlunsplit(parts._replace(netloc=host)),
        urlunsplit((parts.scheme, host, parts.path, "", "")),
        (unquote(name), unquote(password)) if at else None,
    )


def _split(url: str) -> SplitResult | None:
    """The parts; None if it is no address of the web."""
    try:
        parts = urlsplit(url)
        well_formed = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if well_formed else None
