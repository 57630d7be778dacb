"""`python -m locanda.conformance`, the same as `locanda-check`."""

import sys

from locanda.conformance.command import main

sys.exit(main())
