/*
 * Keeps the page itself for times without a connection: its HTML, and the scripts, styles and pictures that were used.
 * Nothing of the API is kept: what is shown of a table always comes from the engine, or it is said that it is out of reach.
 *
 * Shows what the engine pushes while the page is closed.
 */

/** The global scope of service workers, which the types of pages lack. @type {any} */
const worker = self;

const NAME = "locanda-";
const CACHE = `${NAME}{version}`;
const STATIC = new URL("static/{version}/", worker.registration.scope).href;
const PAGE = worker.registration.scope;
/** What the first screen needs, where there has been no time to use it. */
const SHELL = [
    "app.js",
    "art/cuccu-fan.svg",
    "art/french.svg",
    "icon.svg",
    "screens/lobby.js",
    "screens/standing.js",
    "style/base.css",
    "style/forms.css",
    "style/lobby.css",
    "style/panels.css",
    "texts/lobby.en.js",
    "texts/lobby.it.js",
    "texts/lost.en.js",
    "texts/lost.it.js",
    "texts/page.en.js",
    "texts/page.it.js",
];

/** Whether a push that shows nothing is held against the page: in WebKit, so on every iPhone, the third ends all pushes. */
const MUST_SHOW = /AppleWebKit(?!.*Chrome)/.test(worker.navigator.userAgent);

worker.addEventListener("install", (/** @type {any} */ event) => {
    const addresses = [PAGE, ...SHELL.map((name) => STATIC + name)];
    event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(addresses)));
    worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(forget()));

/** Forgets all releases but this one and the one before, which open tabs may still use. */
async function forget() {
    const names = (await caches.keys()).filter((name) => name.startsWith(NAME));
    await Promise.all(names.slice(0, -2).map((name) => caches.delete(name)));
    await worker.clients.claim();
}

worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { method, mode, url } = event.request;
    if (method !== "GET") return;
    const address = url.split("#")[0];
    if (mode === "navigate" && address === PAGE) event.respondWith(newest(event.request));
    else if (address.startsWith(STATIC)) event.respondWith(kept(event.request));
});

/**
 * The page as the engine has it; the one that is kept where it is out of reach.
 *
 * @param {Request} request
 */
async function newest(request) {
    try {
        return await fetch(request);
    } catch (error) {
        const found = await caches.match(PAGE, { cacheName: CACHE });
        if (found) return found;
        throw error;
    }
}

/**
 * A file of this release, which never changes.
 *
 * @param {Request} request
 */
async function kept(request) {
    const cache = await caches.open(CACHE);
    const found = await cache.match(request);
    if (found) return found;
    const response = await fetch(request);
    if (response.ok) cache.put(request, response.clone());
    return response;
}

worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data.json())));

/**
 * Shows a notice, unless the person looks at the page; without a sound then where it must be shown. A newer one takes
 * the place of the older one of its table, or of the same evening, by then without a table that could be opened: the
 * time of one is this device's.
 *
 * @param {{title: string, body: string, table: string, at?: string, language?: string}} notice
 */
async function show({ title, body, table, at, language }) {
    const silent = (await pages()).some((page) => page.visibilityState === "visible");
    if (silent && !MUST_SHOW) return;
    const look = { icon: `${STATIC}icon.svg`, silent };
    if (!at) return worker.registration.showNotification(title, { body, tag: table, data: `#/table/${table}`, ...look });
    /** @type {Intl.DateTimeFormatOptions} */
    const form = { weekday: "long", hour: "2-digit", minute: "2-digit" };
    const when = new Date(at).toLocaleString(language, form);
    return worker.registration.showNotification(title, { body: `${body} · ${when}`, tag: at, data: "#/", ...look });
}

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    event.notification.close();
    event.waitUntil(visit(PAGE + event.notification.data));
});

/**
 * Opens a screen, in a page that is there already if there is one.
 *
 * @param {string} address
 */
async function visit(address) {
    const open = await pages();
    const page = open.find(({ url }) => url === address) ?? open[0];
    if (!page) return worker.clients.openWindow(address);
    await page.focus();
    if (page.url !== address) await page.navigate(address);
}

/** @returns {Promise<any[]>} */
function pages() {
    return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
}
