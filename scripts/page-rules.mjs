// Checks, run by `scripts/lint-web`, that the page's screens depend on one state: no mutable value at module level, no
// import cycle (including `import()`), no slot that another module fills with a function, and no side effect while drawing.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const PAGE = join(ROOT, "services/web");
const GAMES = join(ROOT, "shared/locanda/games");
const CONTAINERS = new Set(["Map", "Set", "WeakMap", "WeakSet", "Array", "AbortController"]);
const CHANGES = new Set(["add", "set", "delete", "clear", "push", "pop", "shift", "unshift", "splice", "sort", "reverse"]);
const EFFECTS = new Set(["setTimeout", "setInterval", "queueMicrotask", "requestAnimationFrame", "fetch"]);

/** The page's own scripts; those of games under the paths at which the engine serves them. */
const files = new Map([
    ...scripts(PAGE).map((path) => [path, path]),
    ...scripts(GAMES).map((path) => [join(PAGE, "games", relative(GAMES, path)), path]),
].map(([place, path]) => [place, ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)]));
const problems = [...files].flatMap(([, file]) => [...mutable(file), ...slots(file), ...drawing(file)]).concat(cycles());
if (problems.length) {
    console.error(problems.join("\n"));
    process.exit(1);
}

function scripts(folder) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return entry.name === "vendor" ? [] : scripts(path);
        return entry.name.endsWith(".js") ? [path] : [];
    });
}

function said(node, text) {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    return `${relative(ROOT, file.fileName)}:${line + 1}: ${text}`;
}

function* within(node, enter = () => true) {
    for (const child of node.getChildren()) {
        yield child;
        if (enter(child)) yield* within(child, enter);
    }
}

/** Finds `let` at module level, and containers there that are changed. */
function mutable(file) {
    const found = [];
    const names = new Set();
    for (const statement of file.statements.filter(ts.isVariableStatement)) {
        const { declarationList: list } = statement;
        if (!(list.flags & ts.NodeFlags.Const)) found.push(said(statement, "a mutable value at module level"));
        for (const { name, initializer } of list.declarations) {
            names.add(name.getText());
            const made = initializer && ts.isNewExpression(initializer) && CONTAINERS.has(initializer.expression.getText());
            if (made && !initializer.arguments?.length) found.push(said(statement, "a container at module level that is to be filled"));
        }
    }
    for (const node of within(file)) {
        const changed =
            (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && CHANGES.has(node.expression.name.text) && node.expression.expression) ||
            (assignment(node) && owner(node.left)) ||
            (ts.isDeleteExpression(node) && owner(node.expression));
        if (changed && names.has(changed.getText()) && !declaredWithin(node, changed.getText())) found.push(said(node, `a change of "${changed.getText()}" at module level`));
    }
    return found;
}

function declaredWithin(node, name) {
    for (let around = node.parent; around && !ts.isSourceFile(around); around = around.parent) {
        if (around.locals?.has(name)) return true;
        if (ts.isFunctionLike(around) && around.parameters.some((each) => each.name.getText().split(/\W+/).includes(name))) return true;
    }
    return false;
}

function assignment(node) {
    const { FirstAssignment, LastAssignment } = ts.SyntaxKind;
    return ts.isBinaryExpression(node) && node.operatorToken.kind >= FirstAssignment && node.operatorToken.kind <= LastAssignment;
}

function owner(target) {
    return ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target) ? owner(target.expression) : target;
}

/** Finds functions that a module puts into an object of another module which has no function of its own there. */
function slots(file) {
    const found = [];
    for (const node of within(file)) {
        if (!assignment(node) || !ts.isPropertyAccessExpression(node.left)) continue;
        const to = node.left.expression.getText();
        const put = ts.isArrowFunction(node.right) || ts.isFunctionExpression(node.right);
        if (put && to !== "this" && !node.left.name.text.startsWith("on")) found.push(said(node, `a function put into ${node.left.getText()}`));
    }
    return found;
}

/** Finds side effects of functions that return templates, except those in the handlers that they make. */
function drawing(file) {
    const found = [];
    for (const node of within(file)) {
        if (!ts.isFunctionLike(node) || !node.body) continue;
        const own = [...within(node.body, (child) => !ts.isFunctionLike(child))];
        if (!own.some((each) => ts.isTaggedTemplateExpression(each) && /^(html|svg)$/.test(each.tag.getText()))) continue;
        for (const each of own) {
            const called = ts.isCallExpression(each) ? each.expression : null;
            if (called?.kind === ts.SyntaxKind.ImportKeyword) found.push(said(each, "an import while drawing"));
            else if (called && EFFECTS.has(called.getText())) found.push(said(each, `${called.getText()} while drawing`));
            else if (called && /\b(load|need|loadStyles|set|notify|go)$/.test(called.getText()) && /^(context|actions|session|this|load|need|loadStyles|go)\b/.test(called.getText())) found.push(said(each, `${called.getText()} while drawing`));
            else if (assignment(each) && !ts.isIdentifier(each.left)) found.push(said(each, "an assignment while drawing"));
        }
    }
    return found;
}

/** Finds cycles of static and dynamic imports, without imports of types. */
function cycles() {
    const imports = new Map([...files].map(([place, file]) => [place, importedBy(place, file)]));
    const done = new Set();
    const found = [];
    const visit = (place, path) => {
        if (path.includes(place)) return void found.push(`a cycle: ${[...path.slice(path.indexOf(place)), place].map((each) => relative(PAGE, each)).join(" → ")}`);
        if (done.has(place)) return;
        for (const next of imports.get(place) ?? []) visit(next, [...path, place]);
        done.add(place);
    };
    for (const place of files.keys()) visit(place, []);
    return found;
}

function importedBy(place, file) {
    const found = [];
    for (const node of within(file)) {
        const name = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0] : null;
        if (!name || !(ts.isStringLiteralLike(name) || ts.isTemplateExpression(name))) continue;
        const pattern = ts.isTemplateExpression(name) ? [name.head.text, ...name.templateSpans.map(({ literal }) => literal.text)] : [name.text];
        const [first, ...rest] = pattern.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
        if (!pattern[0].startsWith(".")) continue;
        const wanted = rest.length ? null : join(dirname(place), pattern[0]);
        const fitting = new RegExp(`^${[join(dirname(place), pattern[0].replace(/[^/]*$/, "")).replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + first.replace(/^.*\//, ""), ...rest].join("[^/]+")}$`);
        found.push(...(wanted ? [wanted] : [...files.keys()].filter((each) => fitting.test(each))));
    }
    return found.filter((each) => files.has(each));
}
