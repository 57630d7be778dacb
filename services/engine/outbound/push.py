"""Web Push: encrypts a message for one browser (RFC 8291), and identifies its sender (RFC 8292)."""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECORD = 4096
"""Record size in bytes. A message is a single record."""
LAST = b"\x02"
"""Delimiter after the content of the last record."""
VALID = 12 * 3600
"""Seconds for which an authorization token is valid. Push services accept a day at most."""
SCALAR = 32
"""Bytes of a private key, and of each half of a signature."""
CURVE = ec.SECP256R1()


class BrowserKeys(NamedTuple):
    """A browser's keys for encryption: its public key and a shared secret."""

    public: bytes
    secret: bytes


def browser_keys(p256dh: str, auth: str) -> BrowserKeys:
    """Return the keys that a browser has sent in base64. Raises `ValueError` if they are invalid."""
    keys = BrowserKeys(_decoded(p256dh), _decoded(auth))
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, keys.public)
    if len(keys.secret) != 16:
        raise ValueError("the secret must have 16 bytes")
    return keys


def encrypted(text: bytes, to: BrowserKeys, own: ec.EllipticCurvePrivateKey | None = None, salt: bytes = b"") -> bytes:
    """Return a message encrypted for a browser. Key and salt of the sender are random, except in tests."""
    own, salt = own or ec.generate_private_key(CURVE), salt or os.urandom(16)
    public = public_bytes(own)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to.public))
    secret = _derived(shared, to.secret, b"WebPush: info\0" + to.public + public, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes((len(public),)) + public
    return head + AESGCM(key).encrypt(nonce, text + LAST, None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


class SenderKey:
    """The key pair that identifies this installation to push services (VAPID)."""

    def __init__(self, private: bytes) -> None:
        """Load a private key in the form that `fresh` returns. Raises `ValueError` if it is invalid."""
        self._key = ec.derive_private_key(int.from_bytes(private, "big"), CURVE)
        self.public = encoded(public_bytes(self._key))
        """The public key in base64, for browsers that subscribe."""

    @staticmethod
    def fresh() -> bytes:
        """Return a new private key."""
        return ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(SCALAR, "big")

    def authorization(self, service: str, subject: str, now: int) -> str:
        """Return the `Authorization` header for the push service with this origin. `now`: seconds since 1970."""
        claims = {"aud": service, "exp": now + VALID, "sub": subject}
        parts = ({"typ": "JWT", "alg": "ES256"}, claims)
        signed = ".".join(encoded(msgspec.json.encode(part)) for part in parts)
        halves = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = b"".join(half.to_bytes(SCALAR, "big") for half in halves)
        return f"vapid t={signed}.{encoded(signature)}, k={self.public}"


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public part of a key, 65 bytes."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(data: bytes) -> str:
    """Return bytes as URL-safe base64 without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
