"""What can be pressed in a message: buttons, the judgement of an answer, the menu of its citations. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextActionsBlock,
    FeedbackButtonObject,
    FeedbackButtonsElement,
    Option,
    PlainTextObject,
    StaticSelectElement,
)

from agents.counts import shortened
from bot.values import Button, Card, CardKind, Source

LABEL = 75
BUTTONS = 25
OPTIONS = 100
_STYLES = ("primary", "danger")


def pressed(card: Card, plain: bool) -> Iterator[Block]:
    """What can be pressed: the judgement, the buttons, and the citations to be opened."""
    judged = [button for button in card.buttons if button.action == "feedback"]
    if len(judged) == 2 and not plain:
        yield ContextActionsBlock(elements=[_feedback(*judged)])
    buttons = [button for button in card.buttons if button not in judged or len(judged) != 2 or plain]
    if card.run_id and any(button.action == "export" for button in buttons):
        buttons.append(Button("Export as canvas", "export", card.run_id))
    for first in range(0, len(buttons), BUTTONS):
        yield _actions(buttons[first : first + BUTTONS], first)
    if card.run_id and card.kind is not CardKind.SOURCES:
        for number, first in enumerate(range(0, len(card.sources), OPTIONS)):
            menu = _citations(card.run_id, card.sources[first : first + OPTIONS], number)
            yield ActionsBlock(elements=[menu])


def _feedback(good: Button, bad: Button) -> FeedbackButtonsElement:
    told = [
        FeedbackButtonObject(
            text=PlainTextObject(text=button.label),
            value=button.value,
            accessibility_label=shortened(button.label, LABEL),
        )
        for button in (good, bad)
    ]
    return FeedbackButtonsElement(action_id="feedback:0", positive_button=told[0], negative_button=told[1])


def _citations(run_id: str, sources: Sequence[Source], number: int) -> StaticSelectElement:
    """A menu of citations; choosing one opens its passage."""
    options = [
        Option(
            text=PlainTextObject(text=shortened(f"[{source.number}] {source.title}", LABEL)),
            value=f"{run_id} {source.number}",
        )
        for source in sources
    ]
    placeholder = PlainTextObject(text="Open a citation…")
    return StaticSelectElement(action_id=f"cite:{number}", placeholder=placeholder, options=options)


def _actions(buttons: Iterable[Button], first: int) -> ActionsBlock:
    """Buttons in a row. `action_id` is the action and a number, as Slack wants it unique in a message."""
    elements = [
        ButtonElement(
            text=PlainTextObject(text=shortened(button.label, LABEL), emoji=True),
            action_id=f"{button.action}:{number}",
            value=button.value,
            style=button.style if button.style in _STYLES else None,
        )
        for number, button in enumerate(buttons, start=first)
    ]
    return ActionsBlock(elements=elements)
