"""`make test-compose`: docker-compose.yml on a real Docker Engine, with matches under way while containers end."""

import os

os.environ.setdefault("PATIENCE", "300")  # containers take seconds to be replaced, and minutes on a busy machine
