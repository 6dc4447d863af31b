"""Keys of databases: put into requests, and kept out of logs, records, links and errors."""

import logging
import re
from dataclasses import dataclass

from pydantic import SecretStr

NCBI = "eutils.ncbi.nlm.nih.gov"
OPENFDA = "api.fda.gov"
PUBLISHED = {NCBI: ((3, 1.0), (10, 1.0)), OPENFDA: ((4, 1.0), (4, 1.0))}
"""By host: calls in seconds without and with a key. openFDA: 240 a minute either way, more a day with one."""
HIDDEN = "(key)"

Params = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of NCBI and openFDA; empty where there is none."""

    ncbi: SecretStr = SecretStr("")
    openfda: SecretStr = SecretStr("")

    def given(self, host: str, params: Params) -> Params:
        """Parameters with the key of a host. No other host is given one."""
        key = self._of(host)
        return (*params, ("api_key", key)) if key else params

    def pace(self, host: str) -> tuple[int, float] | None:
        """Calls in seconds that a host publishes; None for one whose limit hangs on no key."""
        if host not in PUBLISHED:
            return None
        without, having = PUBLISHED[host]
        return having if self._of(host) else without

    def without(self, text: str) -> str:
        """A text that may repeat a key, as error replies of NCBI do, without it."""
        for secret in (self.ncbi, self.openfda):
            if key := secret.get_secret_value():
                text = text.replace(key, HIDDEN)
        return text

    def _of(self, host: str) -> str:
        return {NCBI: self.ncbi, OPENFDA: self.openfda}.get(host, SecretStr("")).get_secret_value()


class KeysHidden(logging.Filter):
    """Takes keys out of the log lines of an HTTP client, which hold whole addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line by, without keys."""
        if isinstance(record.args, tuple):
            record.args = tuple(_hidden(one) for one in record.args)
        return True


def _hidden(one: object) -> object:
    """The same; an address with a key as text without it."""
    written = str(one) if one is not None and not isinstance(one, int | float) else ""
    return re.sub(r"api_key=[^&\s]+", f"api_key={HIDDEN}", written) if "api_key=" in written else one
