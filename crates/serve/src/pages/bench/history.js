// What changed between two states, small enough that every step is kept.

/**
 * A state is nested objects; lists and plain values are leaves, and none is null.
 * @typedef {{[key: string]: any}} Tree
 * A change is [before, after] of a leaf, null where there is none, or changes by key.
 * @typedef {[any, any] | {[key: string]: any}} Change
 */

/** @param {unknown} value @returns {value is Tree} */
function isTree(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What makes `after` of `before`; nothing if they are the same.
 * @param {any} before
 * @param {any} after
 * @returns {Change | undefined}
 */
export function change(before, after) {
  if (before === after) return undefined;
  if (!isTree(before) || !isTree(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? undefined : [before ?? null, after ?? null];
  }
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map(key => [key, change(before[key], after[key])]).filter(([, changed]) => changed !== undefined);
  return changes.length ? Object.fromEntries(changes) : undefined;
}

/**
 * The state after a change, or before it when it is undone.
 * @param {any} state
 * @param {Change} changed
 * @param {boolean} isUndone
 * @returns {any}
 */
export function changedBy(state, changed, isUndone) {
  if (Array.isArray(changed)) return changed[isUndone ? 0 : 1];
  const next = { ...state };
  for (const [key, inner] of Object.entries(changed)) {
    const value = changedBy(next[key], inner, isUndone);
    if (value === null) delete next[key];
    else next[key] = value;
  }
  return next;
}
