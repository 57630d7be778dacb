"""Locanda: the Python client of the engine, and the code that the client and the services share.

- `locanda.client`: the asyncio client; `locanda.sync`: the same calls without asyncio.
- `locanda.messages`: types of the calls' arguments and results; `locanda.errors`: exceptions.
- `locanda.export`: finished matches as training data, with the view of each seat.
- `locanda.env`: environments for reinforcement learning, which play in this process.
"""

__version__ = "1.0.0-rc.1"
"""Release of the package, the services and the container images; metrics report it too."""


def __dir__() -> list[str]:
    """Return the public names only, so that `dir()` and completion hide internal modules."""
    return ["__version__", "client", "env", "errors", "export", "messages", "sync", "verify"]
