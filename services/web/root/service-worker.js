/*
 * Caches the page for times without a connection: its HTML, and the scripts, styles and pictures that were used.
 * Answers of the API are never cached: a table always comes from the engine, or the page says that it is out of reach.
 *
 * Shows the engine's push notifications while the page is closed.
 */

/** The global scope of service workers, which the types of pages lack. @type {any} */
const worker = self;

const NAME = "locanda-";
const CACHE = `${NAME}{version}`;
const FILES = new URL("static/", worker.registration.scope).href;
const STATIC = `${FILES}{version}/`;
const PAGE = worker.registration.scope;
/** Files that any screen may need; the engine writes the list. @type {string[]} */
const SHELL = "{shell}".split(" ");

/** Milliseconds to wait for a page's answer about which screen it shows. */
const ANSWER = 500;

/** Whether each push must show a notification: in WebKit (every iPhone) the third silent push ends the subscription. */
const MUST_SHOW = /AppleWebKit(?!.*Chrome)/.test(worker.navigator.userAgent);

worker.addEventListener("install", (/** @type {any} */ event) => {
    const addresses = [PAGE, ...SHELL.map((name) => STATIC + name)];
    event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(addresses)));
    worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(forget()));

/** Deletes the caches of all releases but this one and the previous one, which open tabs may still use. */
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
    else if (address.startsWith(FILES)) event.respondWith(kept(event.request));
});

/**
 * The engine's page, or the cached one if the engine cannot be reached.
 *
 * @param {Request} request
 */
async function newest(request) {
    try {
        return await fetch(request);
    } catch (error) {
        const page = await caches.match(PAGE, { cacheName: CACHE });
        if (page) return page;
        throw error;
    }
}

/**
 * A file of this release or of the previous one, which an open tab may still use. Such files never change.
 *
 * @param {Request} request
 */
async function kept(request) {
    const cached = await caches.match(request);
    if (cached) return cached;
    const response = await fetch(request);
    if (response.ok && request.url.startsWith(STATIC)) (await caches.open(CACHE)).put(request, response.clone());
    return response;
}

worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data.json())));

/** The push subscription has changed. A page passes the new one to the engine, now or when it is next opened. */
worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event)));

/** @param {any} event */
async function renew({ oldSubscription, newSubscription }) {
    if (!newSubscription && oldSubscription) await worker.registration.pushManager.subscribe(oldSubscription.options);
    for (const page of await pages()) page.postMessage("subscribe");
}

/**
 * Shows a notice, unless the person is looking at its table. If the browser requires one even then, it makes no sound.
 * A newer notice replaces the older one of its table or evening. An evening's time is shown in this device's time zone.
 *
 * @param {{title: string, body: string, table: string, at?: string, language?: string}} notice
 */
async function show({ title, body, table, at, language }) {
    const shown = await Promise.all((await pages()).filter(({ visibilityState, focused }) => visibilityState === "visible" && focused).map(screenOf));
    const silent = shown.some((screen) => (at ? screen !== null : screen === `#/table/${table}`));
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
    event.waitUntil(visit(event.notification.data));
});

/**
 * Opens a screen in the page that already shows it, or in a new one.
 *
 * @param {string} screen
 */
async function visit(screen) {
    const open = await pages();
    const shown = await Promise.all(open.map(screenOf));
    const page = open[shown.indexOf(screen)];
    if (page) await page.focus();
    else await worker.clients.openWindow(PAGE + screen);
}

/**
 * The screen of a page, as the page itself reports it, since browsers only know the address it was opened with. Null for
 * other pages, and for a page that does not answer.
 *
 * @param {any} page
 * @returns {Promise<string | null>}
 */
function screenOf(page) {
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data);
        setTimeout(() => resolve(null), ANSWER);
        page.postMessage("screen", [port2]);
    });
}

/** @returns {Promise<any[]>} */
function pages() {
    return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
}
