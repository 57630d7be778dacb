"""Serves the website: static files of the web folder and the games, read and compressed at start, kept in memory."""

import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from urllib.parse import quote

try:
    import brotli
except ImportError:  # without this package, files are compressed with gzip only
    brotli = None
from aiohttp import hdrs

from locanda.messages import TABLE_LINK
from services.engine.http.bundling import bundled, styles
from services.engine.http.invitations import invitation_of
from services.engine.http.server.context import AppContext, HttpRequest, takes
from services.engine.http.server.dispatcher import BoundHandler, PathTree, ServeRequest, with_middleware
from services.engine.http.server.responses import GZIP, POLICY, SAFE_HEADERS, Response, ResponseHeaders

PAGE = "index.html"
GAME_PAGE = "page.js"
"""The script that draws a game's table on the page."""
VERSION = b"{version}"
"""Placeholder in the page and the service worker for the version of the files."""
SHELL = b"{shell}"
"""Placeholder in the service worker for the names of all files, which it caches for offline use."""
GAMES = b"{games}"
"""Placeholder in the page for the names of the games with a `page.js`."""
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Media types of the served files, by suffix."""
PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' https://telegram.org",
        "connect-src 'self'",
        "img-src 'self' data:",
        "style-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self' https://web.telegram.org",
    )
)
"""The Content-Security-Policy of the page. It allows Telegram's web client to show the page in a frame, and to load
Telegram's script.
"""
FOREVER = "public, max-age=31536000, immutable"
A_DAY = "public, max-age=86400"
ROOT = "root/"
"""Folder of files whose addresses have no version, because other programs know them or browsers check them for
changes."""
CHANGING = {".js", ".webmanifest"}
"""Suffixes of files in that folder that browsers revalidate at each use."""
VERSION_BYTES = 6
MEMORY_LEVELS = (6, 7, zlib.DEF_MEM_LEVEL)
"""Memory levels of zlib to try. With less memory, zlib starts new Huffman codes earlier; the file decides which level
gives the shortest result.
"""
BROTLI_LEVEL = 10
"""Level of brotli compression. It takes a quarter of a second for all files. The highest level takes three times as
long, and saves 1 %.
"""


class NoPageError(ValueError):
    """The folder has no `index.html`."""


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file with its compressed forms and headers."""

    plain: bytes
    packed: Mapping[str, bytes]
    """Compressed bytes by content coding, in order of preference."""
    headers: Mapping[str, str]

    def response(self, request: HttpRequest) -> Response:
        """Return the file, compressed in a coding that the client accepts.

        Browsers accept brotli over TLS and from localhost.
        """
        for coding, data in self.packed.items():
            if takes(request, coding):
                return Response(data, headers={**self.headers, hdrs.CONTENT_ENCODING: coding})
        return Response(self.plain, headers=self.headers)


class Website:
    """The page, and the files that it loads."""

    def __init__(self, folder: Path, games: Mapping[str, Path]) -> None:
        """Read the folder, and the folders of the games by name. Raises `NoPageError` if the folder has no page.

        A game's files are served below `games/<game>/`. The address of each file contains a digest of all files as
        version, so browsers may cache the files forever.
        """
        try:
            page = (folder / PAGE).read_bytes()
        except OSError as error:
            raise NoPageError(folder) from error
        files = _read(folder, "**/*")
        for game, own in games.items():
            files |= {f"games/{game}/{name}": data for name, data in _read(own, "*").items()}
        rooted = {name: files.pop(name) for name in list(files) if name.startswith(ROOT)}
        files |= styles(files) | bundled(files)
        self.version = _version(files)
        drawn = " ".join(game for game in games if f"games/{game}/{GAME_PAGE}" in files)
        page = page.replace(VERSION, self.version.encode()).replace(GAMES, drawn.encode())
        self.page = _file(page, "text/html; charset=utf-8", "no-cache")
        self.files = {name: _file(data, TYPES[Path(name).suffix], FOREVER) for name, data in files.items()}
        self.root_files = {name.removeprefix(ROOT): self._rooted(Path(name), data) for name, data in rooted.items()}

    def _rooted(self, name: Path, data: bytes) -> StaticFile:
        changing = name.suffix in CHANGING
        shell = " ".join(sorted(self.files)).encode()
        text = data.replace(VERSION, self.version.encode()).replace(SHELL, shell) if changing else data
        return _file(text, TYPES[name.suffix], "no-cache" if changing else A_DAY)

    def add_to(self, paths: PathTree[ServeRequest], context: AppContext) -> None:
        """Add routes for the page and its files to the paths."""
        files = ResponseHeaders(SAFE_HEADERS, context.cors)
        framed = {name: value for name, value in SAFE_HEADERS.items() if name != "X-Frame-Options"}
        page = ResponseHeaders(framed | {POLICY: PAGE_POLICY}, context.cors)
        self._add(paths, "/", with_middleware(context, "/", _serving(self.page), headers=page))
        for name, file in self.root_files.items():
            self._add(paths, f"/{name}", with_middleware(context, f"/{name}", _serving(file), headers=page))
        invitation = invitation_of(self.page.plain.decode(), f"static/{self.version}/", self.files)
        self._add(paths, TABLE_LINK, with_middleware(context, TABLE_LINK, invitation, headers=page))
        add_redirect(paths, context, f"{TABLE_LINK}/", "../{table}")
        for name, file in self.files.items():
            serve = with_middleware(context, "/static/{version}/{file}", _serving(file), headers=files)
            self._add(paths, f"/static/{self.version}/{name}", serve)

    @staticmethod
    def _add(paths: PathTree[ServeRequest], path: str, serve: ServeRequest) -> None:
        for method in ("GET", "HEAD"):
            paths.add(method, path, serve)


def add_redirect(paths: PathTree[ServeRequest], context: AppContext, path: str, to: str) -> None:
    """Add a redirect to another path. The redirect is relative, since a proxy may serve the engine below any path.

    `to` may contain the path's parameters, such as `{table}`.
    """

    async def lead(request: HttpRequest) -> Response:
        values = {name: quote(value, safe="") for name, value in request.path_values.items()}
        return Response(status=302, headers={"Location": to.format(**values), "Cache-Control": "no-cache"})

    serve = with_middleware(context, path, lead, headers=ResponseHeaders(SAFE_HEADERS, context.cors))
    for method in ("GET", "HEAD"):
        paths.add(method, path, serve)


def _read(folder: Path, pattern: str) -> dict[str, bytes]:
    """Return the files of a folder that may be served, by relative path."""
    files = (path for path in sorted(folder.glob(pattern)) if path.suffix in TYPES and path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def can_pack() -> bool:
    """Return whether brotli is available."""
    return brotli is not None


def _packed(data: bytes) -> dict[str, bytes]:
    codings = {"gzip": _zipped(data)}
    return {"br": brotli.compress(data, quality=BROTLI_LEVEL)} | codings if can_pack() else codings


def _zipped(data: bytes) -> bytes:
    """Return data as gzip, with the setting of zlib that gives the shortest result.

    The strategy `Z_FILTERED` suits SVG pictures, which are mostly digits.
    """
    ways = product(MEMORY_LEVELS, (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED))
    return min((_deflated(data, memory, strategy) for memory, strategy in ways), key=len)


def _deflated(data: bytes, memory: int, strategy: int) -> bytes:
    packer = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, GZIP, memory, strategy)
    return packer.compress(data) + packer.flush()


def _version(files: Mapping[str, bytes]) -> str:
    """Return a digest of the files' names and contents."""
    digest = hashlib.sha256()
    for name, data in files.items():
        digest.update(f"{name}\n{len(data)}\n".encode() + data)
    return digest.hexdigest()[: 2 * VERSION_BYTES]


def _file(data: bytes, media_type: str, caching: str) -> StaticFile:
    headers = {"Content-Type": media_type, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    return StaticFile(data, _packed(data), headers)


def _serving(file: StaticFile) -> BoundHandler:
    async def serve(request: HttpRequest) -> Response:
        return file.response(request)

    return serve
