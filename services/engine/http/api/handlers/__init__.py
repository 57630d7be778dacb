"""The calls of the API, declared in these modules.

The request handlers and the OpenAPI document are generated from them.
"""

from services.engine.http.api.handlers import admin, games, lobby, play, rounds, subscriptions, system, tables, watching
from services.engine.http.api.route import Route

ROUTES: tuple[Route, ...] = tuple(
    route
    for module in (games, rounds, tables, play, lobby, watching, subscriptions, system)
    for route in module.calls.routes
)
"""All calls for clients, in the order of the OpenAPI document."""
ADMIN_ROUTES: tuple[Route, ...] = tuple(admin.calls.routes)
"""The calls for operators, which have a separate document."""
