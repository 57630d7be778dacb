/**
 * How long a turn lasts still: minutes first, seconds only towards the end.
 *
 * @module
 */

import { Directive, directive } from "../vendor/lit-html/directive.js";
import { noChange } from "../vendor/lit-html/lit-html.js";

/**
 * @import { ElementPart } from "../vendor/lit-html/directive.js"
 * @import { Translate } from "../texts.js"
 */

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

/** Writes the time into an element, anew each second for as long as the element is on the page. */
class TimeLeft extends Directive {
    /** @type {ReturnType<typeof setInterval> | undefined} */
    ticking = undefined;

    /**
     * @param {string} _deadline
     * @param {Translate} _t
     */
    render(_deadline, _t) {
        return noChange;
    }

    /**
     * @override
     * @param {ElementPart} part
     * @param {[string, Translate]} values
     */
    update({ element }, [deadline, t]) {
        clearInterval(this.ticking);
        const end = Date.parse(deadline);
        if (Number.isNaN(end)) return noChange;
        const write = () => {
            element.textContent = timeText(end - Date.now(), t);
        };
        this.ticking = setInterval(() => (element.isConnected ? write() : clearInterval(this.ticking)), 1000);
        write();
        return noChange;
    }
}

export const timeLeft = directive(TimeLeft);
