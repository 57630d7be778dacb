"""Programs that use generated clients."""
