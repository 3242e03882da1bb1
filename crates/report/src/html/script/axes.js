// Axes: scales of charts, their ticks, and values in words.

import { set } from './dom.js';

/**
 * A scale from values to shares of an axis and back.
 * @typedef {{isLog: boolean, low: number, high: number}} Scale
 */

/** A scale in the words of its attribute: `log 80 60000`. @param {string} words @returns {Scale} */
export function scaleOf(words) {
  const [kind, low, high] = words.split(' ');
  return { isLog: kind === 'log', low: Number(low), high: Number(high) };
}

/** The value at a share of the axis. @param {Scale} scale @param {number} share */
export function valueAt({ isLog, low, high }, share) {
  return isLog ? low * (high / low) ** share : low + (high - low) * share;
}

/** The share of the axis at which a value stands. @param {Scale} scale @param {number} value */
export function shareOf({ isLog, low, high }, value) {
  return isLog ? Math.log(Math.max(value, low / 1e3) / low) / Math.log(high / low) : (value - low) / (high - low);
}

/** A value with three digits: `0.25`, `1 230`. @param {number} value */
export function shown(value) {
  const exact = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return exact.toLocaleString('en', { maximumFractionDigits: 6 }).replaceAll(',', '\u202f');
}

/** A round value at a tick: `50`, `20 k`, `1.5 M`. @param {number} value */
function word(value) {
  const units = [[1e9, ' G'], [1e6, ' M'], [1e3, ' k']];
  const [size, unit] = /** @type {[number, string]} */ (units.find(one => Math.abs(value) >= Number(one[0])) ?? [1, '']);
  return `${Number((value / size).toPrecision(4))}${unit}`;
}

/** About so many round values on a scale. @param {Scale} scale @param {number} wanted */
export function ticks({ isLog, low, high }, wanted) {
  if (isLog && high / low >= 10) {
    const factors = high / low >= 10 ** (wanted / 2) ? [1] : high / low >= 10 ** (wanted / 3) ? [1, 3] : [1, 2, 5];
    const every = Math.max(1, Math.ceil(Math.log10(high / low) / wanted));
    const powers = Array.from({ length: 40 }, (_, power) => power - 12).filter(power => power % every === 0);
    return powers.flatMap(power => factors.map(factor => factor * 10 ** power)).filter(value => value >= low && value <= high);
  }
  const least = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find(factor => factor * power >= least * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, index) => (first + index) * step);
}

/** @typedef {{left: number, top: number, width: number, height: number}} Frame */

/**
 * Draws ticks, grid lines and labels anew; the titles stay.
 * @param {SVGElement} group @param {Frame} frame @param {{x: Scale, y: Scale}} scales
 */
export function drawAxes(group, { left, top, width, height }, { x, y }) {
  for (const old of [...group.querySelectorAll('.grid, .tick')]) old.remove();
  /** @param {string} tag @param {Record<string, string | number>} attributes @param {string} [words] */
  const put = (tag, attributes, words = '') => {
    const made = document.createElementNS(group.namespaceURI, tag);
    set(made, attributes);
    made.textContent = words;
    group.prepend(made);
  };
  let free = -Infinity;
  for (const value of ticks(x, Math.max(2, Math.floor(width / 75)))) {
    const [at, words] = [left + shareOf(x, value) * width, word(value)];
    put('line', { class: 'grid', x1: at, x2: at, y1: top, y2: top + height });
    if (at - words.length * 3.2 > free) {
      put('text', { class: 'tick', x: at, y: top + height + 15, 'text-anchor': 'middle' }, words);
      free = at + words.length * 3.2 + 6;
    }
  }
  for (const value of ticks(y, Math.max(2, Math.floor(height / 42)))) {
    const at = top + (1 - shareOf(y, value)) * height;
    put('line', { class: 'grid', x1: left, x2: left + width, y1: at, y2: at });
    put('text', { class: 'tick', x: left - 6, y: at + 4, 'text-anchor': 'end' }, word(value));
  }
}
