"""An Elasticsearch index for one test, deleted when it is closed."""

import secrets

from retrieval.index.elastic.index import ElasticIndex
from retrieval.index.elastic.prepare import Layout
from retrieval.index.elastic.server import Server
from retrieval.ports import Encoder
from tests.support.services import elasticsearch_url


class TrialIndex(ElasticIndex):
    def __init__(self, encoder: Encoder, url: str = "", **options: float) -> None:
        self.server = Server((url or elasticsearch_url(),))
        self.layout = Layout(f"test-{secrets.token_hex(6)}", replicas=0)
        super().__init__(self.server, encoder, self.layout, **options)  # type: ignore[arg-type]

    async def close(self) -> None:
        await self.drop()
        await super().close()
