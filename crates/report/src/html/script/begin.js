// What a report does in a browser. It is complete without: nothing is loaded, nothing is sent.

import { charts } from './charts.js';
import { downloads } from './download.js';
import { filters } from './filters.js';
import { legends } from './legends.js';
import { tables } from './tables.js';

/**
 * Makes a report, or a part of one, interactive: tables sort, are filtered and downloaded, legends hide curves, charts tell their
 * values and are zoomed. Call it once for an element, when what stands in it is in the page.
 * @param {HTMLElement} root
 */
export function begin(root) {
  tables(root);
  filters(root);
  downloads(root);
  legends(root);
  charts(root);
}
