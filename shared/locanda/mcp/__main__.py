"""`python -m locanda.mcp`."""

import sys

from locanda.mcp import main

sys.exit(main())
