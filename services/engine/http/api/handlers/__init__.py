"""The calls of the API: each module declares some. Server and document derive from these."""

from services.engine.http.api.handlers import admin, games, lobby, play, rounds, subscriptions, system, tables, watching
from services.engine.http.api.route import Route

ROUTES: tuple[Route, ...] = tuple(
    route
    for module in (games, rounds, tables, play, lobby, watching, subscriptions, system)
    for route in module.calls.routes
)
"""Every call for clients, in the order in which the OpenAPI document lists them."""
ADMIN_ROUTES: tuple[Route, ...] = tuple(admin.calls.routes)
"""The calls for operators, which have a document of their own."""
