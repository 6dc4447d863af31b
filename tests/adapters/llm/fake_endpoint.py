"""A small endpoint of the OpenAI API on a real socket: it answers from a script, and keeps what it got."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

Reply = Callable[[dict[str, Any]], Response]


class FakeEndpoint:
    """`replies` are used up in order; the last one is repeated. `asked` holds the request bodies."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.replies: list[Reply] = []

    def script(self, *replies: Reply) -> None:
        self.asked, self.headers, self.replies = [], [], list(replies)

    async def answer(self, request: Request) -> Response:
        body = await request.json()
        self.asked.append(body)
        self.headers.append(dict(request.headers))
        return (self.replies.pop(0) if len(self.replies) > 1 else self.replies[0])(body)


@contextmanager
def serving() -> Iterator[FakeEndpoint]:
    fake = FakeEndpoint()
    routes = [
        Route("/v1/chat/completions", fake.answer, methods=["POST"]),
        Route("/v1/models", lambda request: JSONResponse({"data": [{"id": "first"}, {"id": "second"}]})),
    ]
    app = Starlette(routes=routes)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    fake.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/v1"
    try:
        yield fake
    finally:
        server.should_exit = True
        thread.join()


def says(text: str, prompt: int = 10, completion: int = 5, *, end: str = "stop") -> Reply:
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "finish_reason": end, "message": message}
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return lambda body: JSONResponse({**_head("chat.completion", body), "choices": [choice], "usage": usage})


def calls_tool(name: str, arguments: dict[str, Any]) -> Reply:
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": "call-1", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "refusal": None, "tool_calls": [call]}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    return lambda body: JSONResponse({**_head("chat.completion", body), "choices": [choice]})


def fails(status: int, message: str = "no", headers: dict[str, str] | None = None, code: str = "") -> Reply:
    content = {"error": {"message": message, "type": "error", "code": code}}
    return lambda body: JSONResponse(content, status_code=status, headers=headers)


def is_slow(seconds: float, then: Reply) -> Reply:
    def reply(body: dict[str, Any]) -> Response:
        async def content() -> Any:
            await asyncio.sleep(seconds)
            yield bytes(then(body).body)

        return StreamingResponse(content(), media_type="application/json")

    return reply


def refuses_formats(*formats: str, then: Reply) -> Reply:
    def reply(body: dict[str, Any]) -> Response:
        asked = body.get("response_format", {}).get("type", "plain")
        return fails(400, "unsupported response_format")(body) if asked in formats else then(body)

    return reply


def _head(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"id": "1", "object": kind, "created": 1, "model": body["model"]}
