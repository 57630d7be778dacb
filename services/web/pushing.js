/**
 * Pushes: notices of turns, of the end of a match and of the next evening, which reach closed pages and locked phones.
 *
 * The engine sends them, the service worker shows them. A browser has one address for all tables.
 *
 * @module
 */

/** @import { Context } from "./app.js" */

/** Whether this browser takes pushes. On iOS it does once the page is on the home screen. */
export function canPush() {
    return "PushManager" in globalThis && "serviceWorker" in navigator;
}

/**
 * Subscribes the person's tables to pushes, if the engine can send them and the person allows notifications. Failures
 * are tried again when the next table is opened.
 *
 * @param {Pick<Context, "client" | "storage" | "language">} context
 * @param {string[]} tables those without a seat of one's own are left alone
 */
export async function subscribe({ client, storage, language }, tables) {
    if (!canPush() || globalThis.Notification?.permission !== "granted") return;
    const { push_key: key } = await client.server();
    if (!key) return;
    const browser = await address(key);
    await Promise.allSettled(
        tables.map(async (table) => {
            const { token = "", pushed = true } = storage.seat(table) ?? {};
            if (token && pushed) await client.subscribe(table, { browser, language, types: ["turn", "over", "invitation", "evening"] }, { token });
        }),
    );
}

/**
 * Switches pushes on or off for one table only.
 *
 * @param {Pick<Context, "client" | "storage" | "language">} context
 * @param {string} table
 * @param {boolean} pushed
 */
export async function setPushed(context, table, pushed) {
    const { client, storage } = context;
    const token = storage.seat(table)?.token;
    if (!token) return;
    const on = pushed && (await globalThis.Notification?.requestPermission()) === "granted";
    storage.saveSeat(table, { pushed: on });
    if (pushed) return subscribe(context, [table]);
    const { subscriptions } = await client.subscriptions(table, { token });
    await Promise.all(subscriptions.filter(({ url }) => url === null).map(({ id }) => client.unsubscribe(table, id, { token })));
}

/** Gives the browser's address up: the engine learns it from the push service, and pushes nothing more. */
export async function unsubscribe() {
    if (!canPush()) return;
    const { pushManager } = await navigator.serviceWorker.ready;
    await (await pushManager.getSubscription())?.unsubscribe();
}

/**
 * The browser's address for pushes of this engine; one of an engine with another key is given up.
 *
 * @param {string} key
 */
async function address(key) {
    const { pushManager } = await navigator.serviceWorker.ready;
    let found = await pushManager.getSubscription();
    if (found && keyOf(found) !== key) {
        await found.unsubscribe();
        found = null;
    }
    found ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = found.toJSON();
    return { endpoint, p256dh, auth };
}

/** @param {PushSubscription} subscription */
function keyOf({ options: { applicationServerKey: key } }) {
    const text = btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))));
    return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
