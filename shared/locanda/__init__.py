"""Locanda: the package that every part imports, and the Python client of the engine."""

__version__ = "1.0.0-rc.1"
"""The release: here alone, for the package, the services, the images and the metrics."""
