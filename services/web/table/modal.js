/**
 * A directive that shows a dialog element as modal when it is rendered.
 *
 * @module
 */

import { Directive, directive } from "../vendor/lit-html/directive.js";
import { noChange } from "../vendor/lit-html/lit-html.js";

/** @import { ElementPart } from "../vendor/lit-html/directive.js" */

class Modal extends Directive {
    render() {
        return noChange;
    }

    /**
     * @override
     * @param {ElementPart} part
     */
    update(part) {
        const dialog = /** @type {HTMLDialogElement} */ (part.element);
        queueMicrotask(() => dialog.isConnected && !dialog.open && dialog.showModal());
        return noChange;
    }
}

export const modal = directive(Modal);
