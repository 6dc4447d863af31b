"""What opens beside a thread: a part of the page for its script, a page of its own in a tab of its own."""

from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse


def from_page(request: Request) -> bool:
    """Whether the page's own script asks, and not a tab of its own."""
    return "x-pestle" in request.headers


def sheet(request: Request, jinja: Environment, template: str, title: str, **values: Any) -> HTMLResponse:
    """The template filled in; around it a whole page, unless the page's own script asks."""
    html = jinja.get_template(template).render(**values)
    if not from_page(request):
        html = jinja.get_template("sheet.html").render(title=title, body=Markup(html))  # a template made it
    return HTMLResponse(html)
