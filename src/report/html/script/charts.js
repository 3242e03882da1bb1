// Charts: a pointer, or the arrow keys, read the values of all curves.

import { all, make, number, set } from './dom.js';

/** @typedef {(share: number) => number} Scale from a share of the axis to a value */

/** A scale in the words of its attribute: `log 80 60000`. @param {string} words @returns {Scale} */
function scale(words) {
  const [kind, low, high] = words.split(' ');
  const [least, most] = [Number(low), Number(high)];
  return share => kind === 'log' ? least * (most / least) ** share : least + (most - least) * share;
}

/** A value with three digits. @param {number} value */
function shown(value) {
  const exact = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return exact.toLocaleString('en').replaceAll(',', '\u202f');
}

/** The points of a path. @param {SVGElement} path */
function pointsOf(path) {
  return [...(path.getAttribute('d') ?? '').matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(one => [Number(one[1]), Number(one[2])]);
}

/** The height of a line at a place; none where it has not begun or has ended. @param {number[][]} points @param {number} x */
function height(points, x) {
  const next = points.findIndex(point => point[0] > x);
  if (next < 0) return x <= (points.at(-1)?.[0] ?? -Infinity) ? points[points.length - 1][1] : null;
  if (next === 0) return null;
  const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
  return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

/** A chart of a figure. */
class Chart {
  /** @param {SVGSVGElement} figure @param {SVGElement} element @param {HTMLElement} box where values are shown */
  constructor(figure, element, box) {
    this.figure = figure;
    this.element = element;
    this.box = box;
    /** @type {SVGElement[]} */
    this.curves = [];
    this.left = number(element, 'x');
    this.top = number(element, 'y');
    this.width = number(element, 'width');
    this.height = number(element, 'height');
    this.across = scale(element.dataset.x ?? '');
    this.up = scale(element.dataset.y ?? '');
    this.line = document.createElementNS(figure.namespaceURI, 'line');
    set(this.line, { class: 'axis off' });
    this.x = this.left;
  }

  begin() {
    this.figure.append(this.line);
    this.figure.addEventListener('pointermove', event => this.point(event));
    this.figure.addEventListener('pointerleave', () => this.hide());
    set(this.figure, { role: 'group' });
    set(this.element, {
      tabindex: 0, role: 'slider', 'aria-label': 'values of the curves',
      'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': 0,
    });
    this.element.addEventListener('keydown', event => this.key(event));
    this.element.addEventListener('blur', () => this.hide());
  }

  /** @param {PointerEvent} event */
  point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.figure.getScreenCTM()?.inverse());
    const isInside = at.x >= this.left && at.x <= this.left + this.width && at.y >= this.top && at.y <= this.top + this.height;
    if (isInside) this.read(at.x, new DOMPoint(event.clientX, event.clientY));
    else this.hide();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === 'Escape') this.hide();
    const step = event.key === 'ArrowLeft' ? -1 : Number(event.key === 'ArrowRight');
    if (!step) return;
    event.preventDefault();
    const x = Math.max(this.left, Math.min(this.left + this.width, this.x + step * this.width / 50));
    this.read(x, new DOMPoint(x, this.top).matrixTransform(this.figure.getScreenCTM() ?? undefined));
  }

  hide() {
    this.box.hidden = true;
    this.line.classList.add('off');
  }

  /** Shows the values at a place. @param {number} x @param {DOMPoint} at on the screen */
  read(x, at) {
    const lines = [`x ${shown(this.across((x - this.left) / this.width))}`];
    for (const curve of this.curves) {
      const path = curve.querySelector('path.series');
      if (!(path instanceof SVGElement) || curve.classList.contains('off')) continue;
      const y = height(pointsOf(path), x);
      if (y !== null) lines.push(`${this.name(curve) ?? 'y'}: ${shown(this.up((this.top + this.height - y) / this.height))}`);
    }
    this.x = x;
    set(this.line, { x1: x, x2: x, y1: this.top, y2: this.top + this.height });
    this.line.classList.remove('off');
    this.box.replaceChildren(...lines.map(words => make('div', {}, words)));
    this.box.hidden = false;
    const room = document.documentElement.clientWidth - this.box.offsetWidth - 8;
    this.box.style.left = `${Math.max(8, Math.min(at.x + 14, room))}px`;
    this.box.style.top = `${at.y + 14}px`;
    set(this.element, { 'aria-valuetext': lines.join('; '), 'aria-valuenow': Math.round((x - this.left) / this.width * 100) });
  }

  /** What the legend calls a curve. @param {SVGElement} curve */
  name(curve) {
    const entry = all('.entry', SVGElement, this.figure).find(one => one.dataset.series === curve.dataset.series);
    return entry?.textContent?.trim();
  }
}

/** Lets all charts tell their values. @param {HTMLElement} root */
export function charts(root) {
  const box = make('div', { class: 'values' });
  box.hidden = true;
  root.append(box);
  for (const figure of all('svg.figure', SVGSVGElement, root)) {
    /** @type {Chart[]} */
    const found = [];
    for (const element of all('.chart, .curve', SVGElement, figure)) {
      if (element.matches('.chart')) found.push(new Chart(figure, element, box));
      else found.at(-1)?.curves.push(element);
    }
    for (const chart of found) chart.begin();
  }
}
