/**
 * The texts of the page itself. Texts of games come from the engine.
 *
 * @module
 */

/** @typedef {string | {one: string, other: string}} Text a plural form is chosen by the value `n` */
/** @typedef {Record<string, Text>} Texts */
/** @typedef {Record<string, string | number>} Values */

/**
 * Returns a text with its values, `{name}`, filled in; a key that is missing is returned as it is.
 *
 * @callback Translate
 * @param {string} key
 * @param {Values} [values]
 * @returns {string}
 */

/** @typedef {"it" | "en"} Language */

/** What some screens need and others do not: `page` is for all of them. @typedef {"page" | "lobby" | "play" | "review"} Part */

/**
 * @param {readonly string[]} wanted the browser's languages
 * @returns {Language}
 */
export function languageOf(wanted) {
    const known = wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "it" || tag === "en");
    return known === "it" ? "it" : "en";
}

/**
 * @param {Language} language
 * @param {Texts[]} texts later ones add to earlier ones
 * @returns {Translate}
 */
export function translator(language, ...texts) {
    /** @type {Texts} */
    const all = Object.assign({}, ...texts);
    const plural = new Intl.PluralRules(language);
    return (key, values = {}) => {
        const text = all[key];
        if (text === undefined) return key;
        const form = typeof text === "string" ? text : text[plural.select(Number(values.n)) === "one" ? "one" : "other"];
        return form.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
    };
}

/**
 * @param {Language} language
 * @param {Part} part
 * @returns {Promise<Texts>}
 */
export async function loadTexts(language, part) {
    return (await import(`./texts/${part}.${language}.js`)).default;
}
