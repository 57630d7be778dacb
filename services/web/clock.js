/**
 * The time left of a turn, by the server's clock.
 *
 * @module
 */

/** @import { Translate } from "./parts.js" */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Returns how many milliseconds this device's clock is ahead of the server's, to about a second.
 *
 * @returns {Promise<number>}
 */
export async function clockAhead() {
    const asked = Date.now();
    const { headers } = await fetch(document.baseURI, { method: "HEAD", cache: "no-store" });
    const there = Date.parse(headers.get("Date") ?? "");
    return Number.isNaN(there) ? 0 : (asked + Date.now()) / 2 - there - 500;
}

/**
 * Returns the time left of a turn as text: minutes at first, seconds only towards the end.
 *
 * @param {number} left milliseconds
 * @param {Translate} t
 */
export function timeText(left, t) {
    if (left > 2 * DAY) return t("daysLeft", { n: Math.round(left / DAY) });
    if (left > 2 * HOUR) return t("hoursLeft", { n: Math.round(left / HOUR) });
    if (left > MINUTE) return t("minutesLeft", { n: Math.ceil(left / MINUTE) });
    return t("secondsLeft", { n: Math.max(0, Math.ceil(left / 1000)) });
}
