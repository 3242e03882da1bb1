// Curves: their shapes as values, drawn on whatever scales are wanted.

import { shareOf, valueAt } from './axes.js';
import { all, number, set } from './dom.js';

/** @import { Frame, Scale } from './axes.js' */
/** @typedef {(x: number, y: number) => [number, number]} Place */

const SEGMENTS = /([ML])(-?[\d.]+) (-?[\d.]+)|Z/g;

/** The points of a path. @param {Element} path */
export function pointsOf(path) {
  return [...(path.getAttribute('d') ?? '').matchAll(SEGMENTS)].filter(one => one[1]).map(one => [Number(one[2]), Number(one[3])]);
}

/** From pixels of one pair of scales to pixels of another. @param {Frame} frame @param {{x: Scale, y: Scale}} from @param {{x: Scale, y: Scale}} to @returns {Place} */
export function between({ left, top, width, height }, from, to) {
  return (x, y) => [
    left + shareOf(to.x, valueAt(from.x, (x - left) / width)) * width,
    top + (1 - shareOf(to.y, valueAt(from.y, (top + height - y) / height))) * height,
  ];
}

/** How a shape is drawn elsewhere. @param {Element} shape @returns {(place: Place) => void} */
function drawn(shape) {
  const near = (/** @type {number} */ pixel) => Math.max(-1e5, Math.min(1e5, pixel)).toFixed(1);
  if (shape.matches('.mark')) {
    const box = /** @type {SVGGraphicsElement} */ (shape).getBBox();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    return place => {
      const [x, y] = place(middle[0], middle[1]);
      set(shape, { transform: `translate(${near(x - middle[0])} ${near(y - middle[1])})` });
    };
  }
  if (shape.tagName === 'path') {
    const words = shape.getAttribute('d') ?? '';
    return place => set(shape, {
      d: words.replace(SEGMENTS, (all_, kind, x, y) => kind ? `${kind}${place(Number(x), Number(y)).map(near).join(' ')}` : all_),
    });
  }
  const pairs = [['x1', 'y1'], ['x2', 'y2'], ['cx', 'cy']].filter(([x]) => shape.hasAttribute(x))
    .map(([x, y]) => ({ keys: [x, y], at: [number(shape, x), number(shape, y)] }));
  return place => {
    for (const { keys, at } of pairs) {
      const [x, y] = place(at[0], at[1]);
      set(shape, { [keys[0]]: near(x), [keys[1]]: near(y) });
    }
  };
}

/** A curve of a chart: a line, and a band around it, in one element or in several. */
export class Curve {
  /** @param {string | undefined} series @param {string} name */
  constructor(series, name) {
    this.series = series;
    this.name = name;
    /** @type {SVGElement[]} */
    this.elements = [];
    /** @type {((place: Place) => void)[]} */
    this.shapes = [];
    /** The points as they were drawn at first. @type {number[][]} */
    this.line = [];
    /** The upper and the lower edge of the band. @type {number[][]} */
    this.upper = [];
    /** @type {number[][]} */
    this.lower = [];
  }

  /** @param {SVGElement} element */
  add(element) {
    this.elements.push(element);
    this.shapes.push(...all('path, circle, line, rect', SVGGraphicsElement, element).map(drawn));
    const line = element.querySelector('path.series');
    if (line) this.line = pointsOf(line);
    const band = element.querySelector('path.band');
    if (!band) return;
    const around = pointsOf(band);
    // The upper edge goes to the right, the lower one back from the last point there.
    const turn = around.findIndex((point, index) => index > 0 && point[0] < around[index - 1][0]);
    if (turn > 0) [this.upper, this.lower] = [around.slice(0, turn), around.slice(turn - 1).reverse()];
  }

  /** It is neither hidden by its legend nor by a filter. */
  isShown() {
    return !this.elements.some(element => element.matches('.off, .out'));
  }

  /** @param {boolean} isNear */
  emphasise(isNear) {
    for (const element of this.elements) element.classList.toggle('near', isNear);
  }

  /** @param {Place} place */
  draw(place) {
    for (const shape of this.shapes) shape(place);
  }
}

/** The height of a line at a place; none where it has not begun or has ended. @param {number[][]} points @param {number} x */
export function heightAt(points, x) {
  const next = points.findIndex(point => point[0] > x);
  if (next < 0) return x <= (points.at(-1)?.[0] ?? -Infinity) ? points[points.length - 1][1] : null;
  if (next === 0) return null;
  const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
  return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}
