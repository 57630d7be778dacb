"""What the calls stand on."""

from dataclasses import dataclass

from services.engine.http.clients import Clients
from services.engine.http.cors import Cors
from services.engine.http.doors import Doors
from services.engine.http.headers import Headers
from services.engine.http.keyring import Keyring
from services.engine.http.limiting import Limits
from services.engine.http.metrics import Metrics
from services.engine.service import Service


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The engine as HTTP knows it."""

    service: Service
    clients: Clients
    cors: Cors
    doors: Doors
    keyring: Keyring
    limits: Limits
    metrics: Metrics
    on_tables: Headers
    """What calls on tables say with each answer …"""
    elsewhere: Headers
    """… and what all others do."""
