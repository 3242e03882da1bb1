// A configuration as TOML, made of keys with values as they were typed.

/** @typedef {string | string[] | Table} Value
 *  @typedef {{[key: string]: Value}} Table */

const NUMBER = /^[+-]?\d[\d_]*(\.\d[\d_]*)?([eE][+-]?\d+)?$/;
const BARE = /^[A-Za-z0-9_-]+$/;

/** A value as it stands in TOML: numbers and flags as they are, all else a text. @param {string} typed */
export function literal(typed) {
  const word = typed.trim();
  return NUMBER.test(word) || word === 'true' || word === 'false' ? word : JSON.stringify(word);
}

/** The values that were typed with commas between them. @param {string} typed */
export function several(typed) {
  return typed.split(',').map(part => part.trim()).filter(part => part);
}

/** @param {string} key */
function keyed(key) {
  return BARE.test(key) ? key : JSON.stringify(key);
}

/** The text of a table, its values above the tables in it. @param {Table} table @param {string[]} path @returns {string[]} */
export function lines(table, path = []) {
  const entries = Object.entries(table);
  const isTable = (/** @type {Value} */ value) => typeof value === 'object' && !Array.isArray(value);
  const own = entries.filter(([, value]) => !isTable(value)).map(([key, value]) => {
    const text = Array.isArray(value) ? `[${value.map(literal).join(', ')}]` : literal(/** @type {string} */ (value));
    return `${keyed(key)} = ${text}`;
  });
  const inner = entries.filter(([, value]) => isTable(value)).flatMap(([key, value]) => {
    const below = [...path, key];
    const made = lines(/** @type {Table} */ (value), below);
    const hasOwn = Object.values(value).some(one => !isTable(one));
    return hasOwn ? ['', `[${below.map(keyed).join('.')}]`, ...made] : made;
  });
  return [...own, ...inner];
}

/** Puts a value at a path. @param {Table} table @param {string[]} path @param {Value} value */
export function put(table, path, value) {
  const [key, ...rest] = path;
  if (!rest.length) {
    table[key] = value;
    return;
  }
  if (typeof table[key] !== 'object' || Array.isArray(table[key])) table[key] = {};
  put(/** @type {Table} */ (table[key]), rest, value);
}
