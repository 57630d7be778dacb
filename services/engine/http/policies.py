"""How a limit is told: the RateLimit header fields (draft-ietf-httpapi-ratelimit-headers-11)."""

from dataclasses import dataclass

from services.engine.http.problems import ProblemError

POLICY = "RateLimit-Policy"
LEFT = "RateLimit"


@dataclass(frozen=True, slots=True)
class Policy:
    """What a client may do, and in what time."""

    name: str
    quota: int
    """0 for no limit."""
    allowed: str
    """In words, such as `open {quota} tables a minute`."""
    window: int | None = None
    """Seconds; none for what is held open at the same time."""

    def told(self, left: int, until: int | None = None) -> dict[str, str]:
        """Return the headers that tell the limit, how much of it is left, and after how many seconds all is again."""
        scope = 'qu="concurrent-requests"' if self.window is None else f"w={self.window}"
        end = "" if until is None else f";t={until}"
        return {POLICY: f'"{self.name}";q={self.quota};{scope}', LEFT: f'"{self.name}";r={max(0, left)}{end}'}

    def exceeded(self, wait: int) -> ProblemError:
        """Return the refusal of a client that asks for more; it may come again after `wait` seconds."""
        headers = self.told(0, None if self.window is None else wait)
        detail = f"a client may {self.allowed.format(quota=self.quota)}"
        return ProblemError("too_many_requests", detail, headers={"Retry-After": str(wait), **headers})
