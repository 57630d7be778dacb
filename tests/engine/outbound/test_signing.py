import re

from locanda.messages import SIGNING_SECRET
from services.engine.outbound.signing import signed

KNOWN = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_a_signature_is_the_one_that_libraries_of_receivers_expect() -> None:
    headers = signed(KNOWN, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, b'{"test": 2432232314}')
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_a_secret_has_its_prefix_and_24_to_64_bytes() -> None:
    for good in (KNOWN, f"whsec_{'A' * 43}=", f"whsec_{'A' * 86}=="):
        assert re.fullmatch(SIGNING_SECRET, good)
    for bad in (
        "",
        KNOWN.removeprefix("whsec_"),
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La",
        f"whsec_{'A' * 88}",
        f"{KNOWN}A",
    ):
        assert not re.fullmatch(SIGNING_SECRET, bad)
