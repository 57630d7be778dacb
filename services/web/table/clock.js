/**
 * How long a turn lasts still: minutes first, seconds only towards the end.
 *
 * @module
 */

import { AsyncDirective } from "../vendor/lit-html/async-directive.js";
import { directive } from "../vendor/lit-html/directive.js";
import { noChange } from "../vendor/lit-html/lit-html.js";

/** @import { Translate } from "../texts.js" */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * @param {number} left milliseconds
 * @param {Translate} t
 */
export function timeText(left, t) {
    if (left > 2 * DAY) return t("daysLeft", { n: Math.round(left / DAY) });
    if (left > 2 * HOUR) return t("hoursLeft", { n: Math.round(left / HOUR) });
    if (left > MINUTE) return t("minutesLeft", { n: Math.ceil(left / MINUTE) });
    return t("secondsLeft", { n: Math.max(0, Math.ceil(left / 1000)) });
}

/** Writes the time anew each second. */
class TimeLeft extends AsyncDirective {
    /** @type {ReturnType<typeof setInterval> | undefined} */
    ticking = undefined;

    /**
     * @param {string} deadline
     * @param {Translate} t
     */
    render(deadline, t) {
        clearInterval(this.ticking);
        const end = Date.parse(deadline);
        const text = () => timeText(end - Date.now(), t);
        if (Number.isNaN(end)) return noChange;
        this.ticking = setInterval(() => this.setValue(text()), 1000);
        return text();
    }

    /** @override */
    disconnected() {
        clearInterval(this.ticking);
    }
}

export const timeLeft = directive(TimeLeft);
