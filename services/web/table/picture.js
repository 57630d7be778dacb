/**
 * A picture of the end of a match to share: the last cards, the winner, the places. It shows only what everybody at the
 * table has seen.
 *
 * @module
 */

import { ART } from "../parts.js";

/** @import { Deck } from "./shapes.js" */
/** @import { Place } from "./over.js" */

/** @typedef {{game: string, winner: string, places: Place[], cards: string[], reason: string}} Ending */

const [WIDTH, HEIGHT] = [1200, 630];
const [CARD, TALL] = [180, 252];
/** The most cards and places that fit. */
const [MOST_CARDS, MOST_PLACES] = [5, 5];
/** The most letters in a line of the reason. */
const LINE = 58;

/**
 * Shares a picture with the device's other programs, or saves it.
 *
 * @param {Deck} deck
 * @param {Ending} ending
 * @param {string} title
 */
export async function passOn(deck, ending, title) {
    const file = new File([await drawing(deck, ending)], "locanda.png", { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) {
        await navigator.share({ files: [file], title }).catch((error) => {
            if (error.name !== "AbortError") throw error;
        });
        return;
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * @param {Deck} deck
 * @param {Ending} ending
 * @returns {Promise<Blob>}
 */
async function drawing(deck, ending) {
    const source = `data:image/svg+xml,${encodeURIComponent(await markup(deck, ending))}`;
    const image = new Image(WIDTH, HEIGHT);
    image.src = source;
    await image.decode();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: WIDTH, height: HEIGHT });
    canvas.getContext("2d")?.drawImage(image, 0, 0, WIDTH, HEIGHT);
    return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))));
}

/**
 * The picture as SVG, with the drawings of the cards in it, because an image on a canvas may not load others.
 *
 * @param {Deck} deck
 * @param {Ending} ending
 */
async function markup(deck, { game, winner, places, cards, reason }) {
    const sprite = typeof deck === "string" ? await (await fetch(`${ART}${deck}.svg`)).text() : "";
    const shown = sprite ? cards.slice(-MOST_CARDS) : [];
    const left = (WIDTH - (shown.length * (CARD + 16) - 16)) / 2;
    const drawn = shown.map(
        (code, at) => `<use href="#${code === "*" ? "joker" : escaped(code)}" x="${left + at * (CARD + 16)}" y="120" width="${CARD}" height="${TALL}"/>`,
    );
    const below = shown.length ? 430 : 200;
    const lines = places.slice(0, MOST_PLACES).map(({ rank, name, points }, at) => row(`${rank}.  ${name}`, points, below + 60 + at * 38));
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">
        <radialGradient id="_felt" cx=".5" cy=".3" r=".9"><stop stop-color="#236a48"/><stop offset="1" stop-color="#0b2c1d"/></radialGradient>
        <rect width="${WIDTH}" height="${HEIGHT}" fill="#5b3a1e"/>
        <rect x="14" y="14" width="${WIDTH - 28}" height="${HEIGHT - 28}" rx="40" fill="url(#_felt)"/>
        ${inside(sprite)}${drawn.join("")}
        <g font-family="Georgia, serif" fill="#f5ecd9" text-anchor="middle">
            <text x="600" y="84" font-size="34" fill="#bccdbf">${escaped(game)} · Locanda</text>
            <text x="600" y="${below}" font-size="52" font-weight="bold" fill="#ffd257">${escaped(winner)}</text>
            ${lines.length < 3 ? `<text x="600" y="${below + 150}" font-size="26" fill="#bccdbf">${escaped(shortened(reason))}</text>` : ""}
        </g>
        <g font-family="system-ui, sans-serif" fill="#f5ecd9" font-size="28">${lines.join("")}</g>
    </svg>`;
}

/**
 * @param {string} name
 * @param {string} points
 * @param {number} y
 */
function row(name, points, y) {
    return `<text x="330" y="${y}">${escaped(name)}</text><text x="870" y="${y}" text-anchor="end">${escaped(points)}</text>`;
}

/**
 * The content of a sprite's root element.
 *
 * @param {string} sprite
 */
function inside(sprite) {
    return sprite.replace(/^<svg[^>]*>|<\/svg>\s*$/g, "");
}

/** @param {string} text */
function shortened(text) {
    const [line] = text.split("\n");
    return line.length > LINE ? `${line.slice(0, LINE)}…` : line;
}

/** @param {string} text */
function escaped(text) {
    return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
