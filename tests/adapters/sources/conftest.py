"""A real S3 interface on this machine (moto's server), and a bucket of it."""

import logging
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

from adapters.data_sections import S3Settings

NAME = "reports"


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def settings(address: str) -> S3Settings:
    return S3Settings(endpoint=address, region="us-east-1", access_key="key", secret_key="secret")  # type: ignore[arg-type]


@pytest.fixture
def store(address: str) -> Iterator[Any]:
    """A client with rights to write, and an empty bucket."""
    keys = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
    client = boto3.client("s3", endpoint_url=address, **keys)
    client.create_bucket(Bucket=NAME)
    yield client
    while found := client.list_objects_v2(Bucket=NAME).get("Contents"):
        keys_left = [{"Key": one["Key"]} for one in found]
        client.delete_objects(Bucket=NAME, Delete={"Objects": keys_left})
    client.delete_bucket(Bucket=NAME)
    client.close()
