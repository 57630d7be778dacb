"""Locanda: the package that every part imports, and the Python client of the engine.

`locanda.client` is the client for asyncio, `locanda.sync` the one without; `locanda.messages` has the types of their
arguments and results, `locanda.errors` the exceptions. `locanda.export` has finished
matches with what each seat saw; `locanda.env` plays in this process, for learning players.
"""

__version__ = "1.0.0-rc.1"
"""The release, for the package, the services, the images and the metrics."""


def __dir__() -> list[str]:
    """Return what programs import, without the parts that they have in common."""
    return ["__version__", "client", "env", "errors", "export", "messages", "sync", "verify"]
