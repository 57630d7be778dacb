"""The OpenAPI document agrees with the routes, the messages, the problems and the committed file."""

import re

from services.engine.app import DOCUMENTATION
from services.engine.http.document import openapi
from tests.engine.http.document.documented import DOCUMENT
from tests.engine.http.engine_server import RunningEngine

COMMITTED = openapi.FILE.read_bytes()


def test_the_committed_document_is_up_to_date() -> None:
    assert DOCUMENTATION.openapi == COMMITTED, "run: make openapi"


def test_what_a_subscriber_is_sent_is_a_callback_of_the_call_that_subscribes() -> None:
    """Under `webhooks`, OpenAPI Generator would overwrite the calls with the same tag."""
    assert "webhooks" not in DOCUMENT
    subscribe = DOCUMENT["paths"]["/v1/tables/{table}/subscriptions"]["post"]
    sent = subscribe["callbacks"]["notice"]["{$request.body#/url}"]["post"]
    assert sent["requestBody"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/WebhookNotice"
    }


async def test_the_served_document_is_the_committed_one(engine: RunningEngine) -> None:
    answer = await engine.get("/openapi.json")
    assert answer.body == COMMITTED


def test_the_document_says_how_many_changes_are_kept() -> None:
    script = (openapi.FILE.parent / "store/scripts/commit.lua").read_text()
    assert f"KEPT_ANSWERS, KEPT_CALLERS = 20, {openapi.KEPT_CHANGES}, {openapi.KEPT_ANSWERS}, " in script


def test_the_document_is_not_too_long_to_read() -> None:
    assert len(COMMITTED) < 700_000


def test_no_description_holds_the_indentation_of_the_source_or_the_exceptions_of_python() -> None:
    """Newer Python versions remove the indentation of docstrings, so such a description would differ by version."""
    texts = re.findall(rb'"(?:description|summary)": "([^\n]*)"', COMMITTED)

    assert len(texts) > 100
    assert not [text for text in texts if b"\\n  " in text or b"Raises" in text]
