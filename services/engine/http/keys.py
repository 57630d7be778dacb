"""What the application holds, by typed keys."""

from aiohttp import web

from services.engine.http.clients import Clients
from services.engine.http.cors import Cors
from services.engine.http.doors import Doors
from services.engine.http.headers import Headers
from services.engine.http.keyring import Keyring
from services.engine.http.limiting import Limits
from services.engine.http.metrics import Metrics
from services.engine.service import Service

SERVICE: web.AppKey[Service] = web.AppKey("service", Service)
CLIENTS: web.AppKey[Clients] = web.AppKey("clients", Clients)
CORS: web.AppKey[Cors] = web.AppKey("cors", Cors)
DOORS: web.AppKey[Doors] = web.AppKey("doors", Doors)
HEADERS: web.AppKey[Headers] = web.AppKey("headers", Headers)
METRICS: web.AppKey[Metrics] = web.AppKey("metrics", Metrics)
KEYRING: web.AppKey[Keyring] = web.AppKey("keyring", Keyring)
LIMITS: web.AppKey[Limits] = web.AppKey("limits", Limits)
