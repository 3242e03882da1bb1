// What a report does in a browser. It is complete without: nothing is loaded, nothing is sent.

import { charts } from './charts.js';
import { legends } from './legends.js';
import { tables } from './tables.js';

/**
 * Makes a report, or a part of one, interactive: tables sort, legends hide curves, charts tell their values. Call it once for
 * an element, when what stands in it is in the page.
 * @param {HTMLElement} root
 */
export function begin(root) {
  tables(root);
  legends(root);
  charts(root);
}
