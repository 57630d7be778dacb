/**
 * Telegram's colours for the page, if their contrast is sufficient (WCAG 2.2, 1.4.3).
 *
 * @module
 */

const READABLE = 4.5;
/** The step that moves a background towards black or white. */
const STEP = 0.06;

/**
 * Returns custom properties of the page (style/base.css) for Telegram's theme (Bot API, ThemeParams). A theme without
 * enough contrast changes nothing.
 *
 * @param {Record<string, string | undefined>} theme colours as `#rrggbb`
 * @returns {Record<string, string>}
 */
export function pageColours(theme) {
    const ground = theme.bg_color;
    const surface = theme.secondary_bg_color ?? ground;
    const ink = theme.text_color;
    if (!ground || !surface || !ink || !readable(ink, ground, surface)) return {};
    const dim = theme.hint_color && readable(theme.hint_color, ground, surface) ? theme.hint_color : ink;
    // Raised surfaces get a little of the text's colour, so that they fit both Telegram's backgrounds and the cloth of a table.
    const grounds = { "--felt": ground, "--felt-deep": ground, "--surface": surface, "--surface-high": `${ink}14`, "--line": `${ink}40` };
    const colours = { ...grounds, "--ink": ink, "--ink-dim": dim };
    const { button_color: accent, button_text_color: label, link_color: link } = theme;
    if (!accent || !label) return { ...colours, "--accent-text": ink };
    return {
        ...colours,
        "--accent": apart(accent, label),
        "--accent-ink": label,
        "--accent-text": link && readable(link, ground, surface) ? link : ink,
    };
}

/**
 * Makes a background darker under light text, or lighter under dark text, until the text is readable. Telegram's own
 * light themes have white text on light blue.
 *
 * @param {string} ground
 * @param {string} text
 */
function apart(ground, text) {
    const end = luminance(text) > 0.18 ? 0 : 255;
    let parts = partsOf(ground);
    while (!readable(text, hex(parts)) && parts.some((part) => Math.round(part) !== end)) {
        parts = parts.map((part) => part + (end - part) * STEP);
    }
    return hex(parts);
}

/** @param {number[]} parts */
function hex(parts) {
    return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string} colour as `#rrggbb` @returns {number[]} red, green and blue */
function partsOf(colour) {
    return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/**
 * @param {string} text
 * @param {...string} grounds
 */
function readable(text, ...grounds) {
    return grounds.every((ground) => contrast(text, ground) >= READABLE);
}

/**
 * @param {string} one
 * @param {string} other
 * @returns {number} from 1 to 21
 */
export function contrast(one, other) {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((less, more) => less - more);
    return (light + 0.05) / (dark + 0.05);
}

/** @param {string} colour */
function luminance(colour) {
    const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) =>
        part <= 0.04045 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
