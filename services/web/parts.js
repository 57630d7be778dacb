/**
 * The page's own texts and stylesheets, loaded part by part. Texts of games come from the engine.
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

/** The folder of the decks' pictures. */
export const ART = new URL("./art/", import.meta.url).href;

/**
 * Parts that only some screens need; `page` is for all. @typedef {"page" | "lobby" | "play" | "sheets" | "review" |
 * "lost" | "looks" | "crowd" | "tv"} Part
 */

/** The stylesheets of parts. base.css is in the page's HTML; the engine builds play.css from three files. @type {Record<Part, string[]>} */
const STYLES = { page: [], lobby: ["panels", "forms", "lobby"], play: ["play"], sheets: ["sheets"], review: ["panels", "review"], lost: ["panels"], looks: ["looks"], crowd: ["crowd"], tv: ["tv"] };

/**
 * A module, or null if it is not loaded.
 *
 * @template M
 * @param {M} module its entry in the page's state
 * @returns {Exclude<M, "loading" | "failed" | undefined> | null}
 */
export const ready = (module) => (module && module !== "loading" && module !== "failed" ? /** @type {any} */ (module) : null);

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
 * @param {Texts[]} texts merged; later ones override earlier ones
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

/**
 * Loads the styles of a part; resolves once they apply.
 *
 * @param {Part} part
 */
export async function loadStyles(part) {
    await Promise.all(STYLES[part].map((name) => stylesheet(`./style/${name}.css`)));
}

/**
 * Loads a stylesheet, which overrides those already loaded.
 *
 * @param {string} name
 * @returns {Promise<void>} rejected if it does not load; the next call tries again
 */
export async function stylesheet(name) {
    const { href } = new URL(name, import.meta.url);
    const links = [.../** @type {NodeListOf<HTMLLinkElement>} */ (document.head.querySelectorAll("link[rel=stylesheet]"))];
    const link = links.find((other) => other.href === href) ?? document.createElement("link");
    if (link.sheet) return;
    const loaded = new Promise((resolve, reject) => {
        link.addEventListener("load", resolve);
        link.addEventListener("error", reject);
    });
    if (!link.isConnected) document.head.append(Object.assign(link, { rel: "stylesheet", href }));
    await loaded.catch(() => {
        link.remove();
        throw new Error(name);
    });
}
