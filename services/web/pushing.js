/**
 * Push notifications of turns, of the end of a match and of the next evening. They arrive with the page closed.
 *
 * The engine sends them and the service worker shows them. A browser has one push subscription for all tables.
 *
 * @module
 */

/** @import { Context } from "./app.js" */

/** Whether this browser supports push. On iOS only pages on the home screen do. */
export function canPush() {
    return "PushManager" in globalThis && "serviceWorker" in navigator;
}

/**
 * Subscribes the person's tables to push, if the engine can send it and the person allows notifications. After a
 * failure it is tried again when the next table is opened.
 *
 * @param {Pick<Context, "client" | "storage" | "language">} context
 * @param {string[]} tables ids; tables without a saved seat are skipped
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
 * Switches push on or off for one table only.
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

/** Cancels the browser's push subscription. The engine learns of it from the push service, and stops. */
export async function unsubscribe() {
    if (!canPush()) return;
    const { pushManager } = await navigator.serviceWorker.ready;
    await (await pushManager.getSubscription())?.unsubscribe();
}

/**
 * The browser's push subscription for this engine. One made with another key is cancelled first.
 *
 * @param {string} key
 */
async function address(key) {
    const { pushManager } = await navigator.serviceWorker.ready;
    let subscription = await pushManager.getSubscription();
    if (subscription && keyOf(subscription) !== key) {
        await subscription.unsubscribe();
        subscription = null;
    }
    subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
    return { endpoint, p256dh, auth };
}

/** @param {PushSubscription} subscription */
function keyOf({ options: { applicationServerKey: key } }) {
    const text = btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))));
    return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
