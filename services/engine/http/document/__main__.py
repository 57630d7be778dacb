"""Write the OpenAPI documents in `services/engine/` and `docs/problems.md` from routes, messages and problem types."""

from services.engine.http.api.handlers import ADMIN_ROUTES, ROUTES
from services.engine.http.document import administration, openapi
from services.engine.http.document import problem_pages as pages

if __name__ == "__main__":
    openapi.FILE.write_bytes(openapi.as_json(openapi.openapi_document(ROUTES)))
    administration.FILE.write_bytes(openapi.as_json(administration.admin_document(ADMIN_ROUTES)))
    pages.MARKDOWN_FILE.write_text(pages.markdown((*ROUTES, *ADMIN_ROUTES)), encoding="utf-8")
