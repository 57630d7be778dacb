/**
 * Markdown of the games' rules as templates: headings, paragraphs, lists, tables, emphasis and code. Anything else
 * stays text.
 *
 * @module
 */

import { html } from "./vendor/lit-html/lit-html.js";

/** @import { TemplateResult } from "./vendor/lit-html/lit-html.js" */

/** @typedef {{kind: "heading" | "list" | "numbers" | "table" | "text", level: number, lines: string[]}} Block */

const STARTS = /** @type {[RegExp, Block["kind"]][]} */ ([
    [/^#{1,6} /, "heading"],
    [/^[-*] /, "list"],
    [/^\d+\. /, "numbers"],
    [/^\|/, "table"],
]);

/**
 * Functions that draw the cards named in a text: `text` in plain text, `name` before an emphasized name.
 *
 * @typedef {{text: (text: string) => unknown, name: (text: string) => unknown}} Drawing
 */

/** @type {Drawing} */
const NOTHING = { text: (text) => text, name: () => "" };

/**
 * @param {string} text
 * @param {Drawing} [cards]
 * @returns {TemplateResult[]}
 */
export function markdown(text, cards = NOTHING) {
    return blocks(text).map((part) => block(part, cards));
}

/**
 * @param {string} text
 * @param {Drawing} [cards]
 * @returns {unknown[]} a line with its emphasis and code
 */
export function inline(text, cards = NOTHING) {
    return text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/).map((part) => {
        if (part.startsWith("**") && part.length > 4) return html`<strong>${part.slice(2, -2)}</strong>`;
        if (part.startsWith("*") && part.length > 2) return html`${cards.name(part.slice(1, -1))}<em>${part.slice(1, -1)}</em>`;
        if (part.startsWith("`") && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
        return cards.text(part);
    });
}

/**
 * @param {string} text
 * @returns {Block[]}
 */
function blocks(text) {
    /** @type {Block[]} */
    const parts = [];
    let open = /** @type {Block | null} */ (null);
    for (const line of text.split("\n")) {
        const [start, kind] = STARTS.find(([pattern]) => pattern.test(line)) ?? [null, "text"];
        if (!line.trim()) {
            open = null;
        } else if (open && open.kind === kind && kind === "text") {
            open.lines.push(line.trim());
        } else if (open && kind === "text" && open.kind !== "heading") {
            open.lines.push(`${open.lines.pop()} ${line.trim()}`);
        } else {
            const content = kind === "table" || !start ? line.trim() : line.replace(start, "");
            if (open?.kind === kind && kind !== "heading") open.lines.push(content);
            else parts.push((open = { kind, level: /^#*/.exec(line)?.[0].length ?? 0, lines: [content] }));
        }
    }
    return parts;
}

/**
 * @param {Block} block
 * @param {Drawing} cards
 * @returns {TemplateResult}
 */
function block({ kind, level, lines }, cards) {
    const items = () => lines.map((line) => html`<li>${inline(line, cards)}</li>`);
    switch (kind) {
        case "heading":
            if (level === 1) return html`<h1>${inline(lines[0])}</h1>`;
            return level === 2 ? html`<h2>${inline(lines[0])}</h2>` : html`<h3>${inline(lines[0])}</h3>`;
        case "list":
            return html`<ul>${items()}</ul>`;
        case "numbers":
            return html`<ol>${items()}</ol>`;
        case "table":
            return table(lines, cards);
        default:
            return html`<p>${inline(lines.join(" "), cards)}</p>`;
    }
}

/**
 * @param {string[]} lines the first is the header row, the second the line of dashes
 * @param {Drawing} cards
 */
function table(lines, cards) {
    const [head, , ...rows] = lines.map((line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
    return html`
        <div class="scroll" tabindex="0">
            <table>
                <thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
                <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell, cards)}</td>`)}</tr>`)}</tbody>
            </table>
        </div>
    `;
}
