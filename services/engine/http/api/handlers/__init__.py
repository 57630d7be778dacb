"""The calls of the API: each module has handlers, and the routes that declare them.

Server and document derive from these.
"""

from services.engine.http.api.handlers import admin, games, lobby, rounds, subscriptions, system, tables, watching
from services.engine.http.api.route import Route

ROUTES: tuple[Route, ...] = (
    *games.ROUTES,
    *rounds.ROUTES,
    *tables.ROUTES,
    *lobby.ROUTES,
    *watching.ROUTES,
    *subscriptions.ROUTES,
    *system.ROUTES,
)
"""Every call for clients, in the order in which the OpenAPI document lists them."""
ADMIN_ROUTES = admin.ROUTES
"""The calls for operators, which have a document of their own."""
