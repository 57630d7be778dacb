"""Messages to browsers are encrypted as in RFC 8291, and signed as in RFC 8292."""

from base64 import urlsafe_b64decode

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from services.engine.outbound.push import SenderKey, browser_keys, encoded, encrypted, public_bytes

P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
MESSAGE = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
"""The encrypted example message of RFC 8291, section 5."""


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_the_example_of_the_standard_is_encrypted_as_it_says() -> None:
    own = ec.derive_private_key(int.from_bytes(decoded(SENDER), "big"), ec.SECP256R1())
    text = b"When I grow up, I want to be a watermelon"

    assert encoded(encrypted(text, browser_keys(P256DH, AUTH), own, decoded(SALT))) == MESSAGE


def test_each_message_has_a_key_and_a_salt_of_its_own() -> None:
    one, other = (encrypted(b"text", browser_keys(P256DH, AUTH)) for _ in range(2))
    assert one[:16] != other[:16]
    assert one[21:86] != other[21:86]


def test_the_key_of_an_installation_is_the_same_after_it_was_stored() -> None:
    stored = SenderKey.fresh()
    assert len(stored) == 32
    assert SenderKey(stored).public == SenderKey(stored).public != SenderKey(SenderKey.fresh()).public


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [(P256DH[:-2], AUTH), ("B" + "A" * 86, AUTH), (P256DH, AUTH[:-4]), ("", ""), (P256DH, "é")],
)
def test_what_are_no_keys_of_a_browser_is_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (each library has its own words)
        browser_keys(p256dh, auth)


def test_a_public_key_is_that_of_its_private_one() -> None:
    own = ec.derive_private_key(int.from_bytes(decoded(SENDER), "big"), ec.SECP256R1())
    assert public_bytes(own) == decoded(MESSAGE)[21:86]
