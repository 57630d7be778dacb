"""The address that identifies a client: forwarding headers count only from trusted proxies."""

from collections.abc import Sequence

import pytest
from aiohttp.test_utils import make_mocked_request
from multidict import CIMultiDict

from services.engine.http.server.limits import Clients
from services.engine.settings import EngineSettings, networks
from tests.engine.http.engine_server import RunningEngine, running_engine

PROXIES = networks("10.0.0.0/8, 2001:db8:ffff::/48")
CLIENT = "192.0.2.7"
FORGED = "198.51.100.66"


def _client(clients: Clients, remote: str, *headers: tuple[str, str]) -> str:
    return clients.of(make_mocked_request("GET", "/", headers=CIMultiDict(headers)).clone(remote=remote))


ACCOUNTS_KEY = "a key of the host, for its bot"


def test_a_client_with_the_key_names_the_account_of_each_request() -> None:
    clients = Clients(accounts_key=ACCOUNTS_KEY)
    assert _client(clients, CLIENT, ("X-Accounts-Key", ACCOUNTS_KEY), ("X-Account", "chat-7")) == "account chat-7"


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param([("X-Account", "chat-7")], id="no key"),
        pytest.param([("X-Accounts-Key", "another key"), ("X-Account", "chat-7")], id="another key"),
        pytest.param([("X-Accounts-Key", ACCOUNTS_KEY)], id="no account"),
        pytest.param([("X-Accounts-Key", ACCOUNTS_KEY), ("X-Account", "a" * 65)], id="too long"),
        pytest.param([("X-Accounts-Key", ACCOUNTS_KEY), ("X-Account", "chat 7")], id="a space"),
    ],
)
def test_any_other_request_is_charged_to_its_address(headers: list[tuple[str, str]]) -> None:
    assert _client(Clients(accounts_key=ACCOUNTS_KEY), CLIENT, *headers) == CLIENT
    assert _client(Clients(), CLIENT, ("X-Accounts-Key", ""), ("X-Account", "chat-7")) == CLIENT


def test_with_a_key_of_the_host_nobody_can_tell_whose_account_an_address_shares() -> None:
    """Otherwise a person with many networks could find one that shares a victim's account."""
    accounts = {Clients(accounts_key=key).group(CLIENT) for key in ("", ACCOUNTS_KEY, "another key of the host")}
    assert len(accounts) == 3


def test_without_trusted_proxies_only_the_connection_counts() -> None:
    assert _client(Clients(), CLIENT, ("X-Forwarded-For", FORGED), ("Forwarded", f"for={FORGED}")) == CLIENT
    assert _client(Clients(), "10.0.0.1", ("X-Forwarded-For", FORGED)) == "10.0.0.1"


@pytest.mark.parametrize(
    ("remote", "forwarded", "client"),
    [
        (CLIENT, (FORGED,), CLIENT),
        ("10.0.0.1", (CLIENT,), CLIENT),
        ("10.0.0.1", (f"{FORGED}, {CLIENT}",), CLIENT),
        ("10.0.0.1", (FORGED, CLIENT), CLIENT),
        ("10.0.0.1", (f"{FORGED},{CLIENT} , 10.9.9.9",), CLIENT),
        ("10.0.0.1", (f"10.3.3.3, {CLIENT}",), CLIENT),
        ("10.0.0.1", ("10.3.3.3, 10.4.4.4",), "10.3.3.3"),
        ("10.0.0.1", (), "10.0.0.1"),
        ("10.0.0.1", ("",), "10.0.0.1"),
        ("10.0.0.1", ("unknown",), "10.0.0.1"),
        ("10.0.0.1", (f"{FORGED}, unknown, 10.2.2.2",), "10.2.2.2"),
        ("10.0.0.1", (f"{CLIENT}:4711",), CLIENT),
        ("10.0.0.1", ("[2001:db8:1:2:3::4]:4711",), "2001:db8:1:2::/64"),
        ("2001:db8:ffff::1", (CLIENT,), CLIENT),
        ("::ffff:10.0.0.1", (f"::ffff:{CLIENT}",), CLIENT),
    ],
)
def test_the_right_most_address_that_is_no_trusted_proxys_counts(
    remote: str, forwarded: Sequence[str], client: str
) -> None:
    assert _client(Clients(PROXIES), remote, *(("X-Forwarded-For", line) for line in forwarded)) == client


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        (f"for={CLIENT};proto=https", CLIENT),
        (f'for={FORGED}, for="{CLIENT}:4711"', CLIENT),
        (f"for={FORGED}, For={CLIENT};by=10.0.0.1, for=10.2.2.2", CLIENT),
        ('for="[2001:db8:1:2:3::4]:80"', "2001:db8:1:2::/64"),
        (f'for="{FORGED}, for={CLIENT}', CLIENT),
        (f"for={FORGED}, for=_hidden", "10.0.0.1"),
        (f"for={FORGED}, proto=https", "10.0.0.1"),
        ("nonsense", "10.0.0.1"),
    ],
)
def test_forwarded_works_alike_where_it_is_the_configured_header(forwarded: str, client: str) -> None:
    clients = Clients(PROXIES, "Forwarded")
    assert _client(clients, "10.0.0.1", ("Forwarded", forwarded)) == client


def test_the_header_that_the_proxy_does_not_write_is_not_believed() -> None:
    both = (("X-Forwarded-For", FORGED), ("Forwarded", f"for={CLIENT}"))
    assert _client(Clients(PROXIES, "Forwarded"), "10.0.0.1", *both) == CLIENT
    assert _client(Clients(PROXIES, "Forwarded"), "10.0.0.1", both[0]) == "10.0.0.1"


def test_all_addresses_of_one_ipv6_network_are_one_client() -> None:
    first, second = (_client(Clients(), f"2001:db8:1:2::{last}") for last in ("1", "ffff"))
    assert first == second == "2001:db8:1:2::/64"
    assert _client(Clients(), "2001:db8:1:3::1") != first


async def _open(engine: RunningEngine, client: str) -> int:
    headers = {"X-Forwarded-For": client}
    return (await engine.post("/v1/tables", {"game": "gatto_rosso", "name": "Anna"}, headers=headers)).status


async def test_made_up_addresses_do_not_get_round_a_limit() -> None:
    async with running_engine(EngineSettings(engine_tables_per_minute=1)) as engine:
        assert [await _open(engine, client) for client in (CLIENT, FORGED)] == [201, 429]


async def test_those_behind_a_trusted_proxy_have_limits_of_their_own() -> None:
    async with running_engine(
        EngineSettings(engine_tables_per_minute=1, engine_trusted_proxies="127.0.0.1/32")
    ) as engine:
        clients = (CLIENT, FORGED, f"{FORGED}, {CLIENT}")
        assert [await _open(engine, client) for client in clients] == [201, 201, 429]
