"""What the engine serves about its API: the OpenAPI document, its page and the problem pages, made from the routes."""

from functools import cache, cached_property, partial
from html import escape

from locanda.messages import Language
from services.engine.http.api.route import Route
from services.engine.http.document.openapi import Document, as_json, openapi_document
from services.engine.http.document.page import ADDRESS, html_page
from services.engine.http.problems.pages import list_page, problem_page


class RouteDocumentation:
    """The `Documentation` (of `AppContext`) of some routes. Each part is made on its first request, and kept."""

    def __init__(self, routes: tuple[Route, ...]) -> None:
        self._routes = routes
        self._problem_list = cache(list_page)
        self._problem_page = cache(partial(problem_page, routes=routes))

    @cached_property
    def document(self) -> Document:
        """The OpenAPI document."""
        return openapi_document(self._routes)

    @cached_property
    def openapi(self) -> bytes:
        """The OpenAPI document as JSON."""
        return as_json(self.document)

    @cached_property
    def _page(self) -> str:
        return html_page(self.document, self._routes)

    def page(self, address: str = ADDRESS) -> str:
        """Return the page of the whole document, with commands for an engine at this address."""
        return self._page.replace(ADDRESS, escape(address))

    def problem_list(self, language: Language) -> str:
        """Return the page that lists every problem type."""
        return self._problem_list(language)

    def problem_page(self, code: str, language: Language) -> str:
        """Return the page of a problem type."""
        return self._problem_page(code, language)
