"""Write `services/engine/openapi.json` and `docs/problems.md` from the routes, the messages and the problem types."""

from services.engine.http.api.handlers import ROUTES
from services.engine.http.document import openapi
from services.engine.http.problems import pages

if __name__ == "__main__":
    openapi.FILE.write_bytes(openapi.as_json(openapi.openapi_document(ROUTES)))
    pages.MARKDOWN_FILE.write_text(pages.markdown(ROUTES), encoding="utf-8")
