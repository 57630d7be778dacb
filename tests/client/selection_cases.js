// Runs the shared cases of selections on the page's module; the first difference ends it with an error.

import { deepStrictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import { completed, mayAdd, movesWith } from "../../services/web/selection.js";

const cases = JSON.parse(readFileSync("docs/selection-cases.json", "utf8"));
for (const { name, moves, cards, selected: chosen, ...expected } of cases) {
    const free = [...cards];
    const selected = chosen.map((/** @type {any} */ { from, card }) => {
        const at = free.findIndex((place) => place.from === from && place.card === card);
        return free.splice(at, 1)[0];
    });
    const actual = {
        moves_with: movesWith(moves, selected),
        may_add: free.filter((card) => mayAdd(moves, selected, card)),
        completed: completed(moves, selected, cards),
    };
    deepStrictEqual(actual, expected, name);
}
