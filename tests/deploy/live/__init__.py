"""`make test-compose`: docker-compose.yml on a real Docker Engine, with matches under way while things end."""
