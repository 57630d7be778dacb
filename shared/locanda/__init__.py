"""Locanda: the package that every part imports, and the Python client of the engine."""

__version__ = "0.1.0"
"""The release: here alone, for the package, the services, the images and the metrics."""
