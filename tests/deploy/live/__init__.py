"""`make test-compose`: docker-compose.yml on a real Docker Engine, whose containers are killed during matches."""

import os

os.environ.setdefault("PATIENCE", "300")  # replacing a container takes seconds, and minutes on a busy machine
