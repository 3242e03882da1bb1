// Charts: a pointer, or the arrow keys, read the values of all curves; a range of the axis is brushed to be seen alone.

import { drawAxes, scaleOf, shareOf, shown, valueAt } from './axes.js';
import { Curve, between, heightAt } from './curves.js';
import { all, make, number, set } from './dom.js';

/** @import { Scale } from './axes.js' */

/** The narrowest part of an axis that is shown: what was drawn has a tenth of a pixel. */
const NARROWEST = 1 / 40;

/** Pixels that a pointer moves before it brushes. */
const LEAST = 5;

/** A title that says whether its axis is logarithmic. @param {string} title @param {boolean} isLog */
function titled(title, isLog) {
  const bare = title.replace(/, logarithmic\)$/, ')').replace(/ \(logarithmic\)$/, '');
  if (!isLog) return bare;
  return bare.endsWith(')') ? `${bare.slice(0, -1)}, logarithmic)` : `${bare} (logarithmic)`;
}

/** A chart of a figure. */
class Chart {
  /** @param {SVGSVGElement} figure @param {SVGElement} element @param {Element | null} axes @param {HTMLElement} box where values are shown */
  constructor(figure, element, axes, box) {
    this.figure = figure;
    this.element = element;
    this.axes = axes instanceof SVGElement ? axes : null;
    this.box = box;
    this.frame = { left: number(element, 'x'), top: number(element, 'y'), width: number(element, 'width'), height: number(element, 'height') };
    this.first = { x: scaleOf(element.dataset.x ?? ''), y: scaleOf(element.dataset.y ?? '') };
    this.now = this.first;
    /** @type {Curve[]} */
    this.curves = [];
    this.line = this.shape('line', 'axis off');
    this.brush = this.shape('rect', 'brush off');
    /** Where the keys read. */
    this.x = this.frame.left;
    /** Where a range begins that is being marked. @type {number | null} */
    this.from = null;
    /** @type {{[name: string]: HTMLButtonElement}} */
    this.buttons = {};
  }

  /** @param {string} tag @param {string} classes */
  shape(tag, classes) {
    const made = document.createElementNS(this.figure.namespaceURI, tag);
    set(made, { class: classes });
    return made;
  }

  /** @param {SVGElement} element of a curve @param {string} name */
  add(element, name) {
    const series = element.dataset.series;
    const known = this.curves.find(curve => curve.series === series);
    if (!known) this.curves.push(new Curve(series, name));
    (known ?? this.curves[this.curves.length - 1]).add(element);
  }

  begin() {
    const listen = (/** @type {string} */ type, /** @type {(event: any) => void} */ act) => this.figure.addEventListener(type, act);
    this.figure.append(this.line);
    listen('pointermove', event => this.point(event));
    listen('pointerdown', event => this.press(event));
    listen('pointerup', () => this.release());
    listen('pointercancel', () => this.forget());
    listen('pointerleave', () => this.hide());
    set(this.figure, { role: 'group' });
    set(this.element, {
      tabindex: 0, role: 'slider', 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': 0,
      'aria-label': 'Values of the curves: arrow keys read, with shift they mark a range, Enter shows the range alone, 0 shows all',
    });
    this.element.addEventListener('keydown', event => this.key(event));
    this.element.addEventListener('blur', () => this.hide());
    return this.tools();
  }

  /** The buttons below the chart. */
  tools() {
    const button = (/** @type {string} */ name, /** @type {string} */ words, /** @type {() => void} */ act) => {
      this.buttons[name] = make('button', { type: 'button', onclick: act }, words);
      return this.buttons[name];
    };
    const about = this.figure.classList.contains('narrow') ? 'narrow' : this.figure.classList.contains('broad') ? 'broad' : '';
    const bar = make('div', { class: `tools ${about}`, role: 'group', 'aria-label': `Axes of ${this.figure.getAttribute('aria-label')}` },
      button('in', 'Zoom in', () => this.zoomBy(1 / 2)), button('out', 'Zoom out', () => this.zoomBy(2)),
      button('reset', 'Show all', () => this.reset()),
      button('logX', 'x logarithmic', () => this.show(this.range(), !this.now.x.isLog, this.now.y.isLog)),
      button('logY', 'y logarithmic', () => this.show(this.range(), this.now.x.isLog, !this.now.y.isLog)));
    this.say();
    return bar;
  }

  /** Says on the buttons what is so, and which of them would do nothing. */
  say() {
    const { x, y } = this.now;
    const isAll = this.isAll();
    this.buttons.out.disabled = isAll;
    this.buttons.reset.disabled = isAll && x.isLog === this.first.x.isLog && y.isLog === this.first.y.isLog;
    this.buttons.in.disabled = shareOf(this.first.x, x.high) - shareOf(this.first.x, x.low) <= NARROWEST * 1.01;
    set(this.buttons.logX, { 'aria-pressed': x.isLog });
    set(this.buttons.logY, { 'aria-pressed': y.isLog });
  }

  isAll() {
    const range = this.range();
    return range[0] <= this.lowest(this.now.x.isLog) * 1.000001 && range[1] >= this.first.x.high * 0.999999;
  }

  /** The least value that the axis can show. @param {boolean} isLog */
  lowest(isLog) {
    const { low, high } = this.first.x;
    return isLog && low <= 0 ? high / 1e4 : low;
  }

  /** The values at both ends of the x axis. @returns {[number, number]} */
  range() {
    return [this.now.x.low, this.now.x.high];
  }

  reset() {
    this.show([this.first.x.low, this.first.x.high], this.first.x.isLog, this.first.y.isLog);
  }

  /** Shows a range a factor as wide, around the place that was read last. @param {number} factor */
  zoomBy(factor) {
    const middle = Math.max(0, Math.min(1, (this.x - this.frame.left) / this.frame.width)) || 0.5;
    const [low, high] = [middle - middle * factor, middle + (1 - middle) * factor];
    this.show([valueAt(this.now.x, low), valueAt(this.now.x, high)], this.now.x.isLog, this.now.y.isLog);
  }

  /** Shows a part of the x axis, with the y axis as high as what is seen. @param {[number, number]} range @param {boolean} logX @param {boolean} logY */
  show(range, logX, logY) {
    const least = this.lowest(logX);
    /** @type {Scale} */
    const whole = { isLog: logX, low: least, high: this.first.x.high };
    let [from, to] = range.map(value => shareOf(whole, Math.max(value, least))).map(share => Math.max(0, Math.min(1, share)));
    if (to - from < NARROWEST) {
      from = Math.max(0, Math.min(1 - NARROWEST, (from + to - NARROWEST) / 2));
      to = from + NARROWEST;
    }
    const x = { isLog: logX, low: valueAt(whole, from), high: valueAt(whole, to) };
    this.now = { x, y: this.fitting(x, logY) };
    this.draw();
    this.forget();
    this.say();
  }

  /** The y axis for what is seen of the curves. @param {Scale} x @param {boolean} isLog @returns {Scale} */
  fitting(x, isLog) {
    const { left, top, width, height: tall } = this.frame;
    const pixel = (/** @type {number} */ value) => left + shareOf(this.first.x, value) * width;
    const value = (/** @type {number} */ y) => valueAt(this.first.y, (top + tall - y) / tall);
    const [from, to] = [pixel(x.low), pixel(x.high)];
    const seen = this.curves.filter(curve => curve.isShown()).flatMap(curve => [curve.line, curve.upper, curve.lower].flatMap(points => [
      ...points.filter(point => point[0] >= from && point[0] <= to).map(point => value(point[1])),
      ...[from, to].map(at => heightAt(points, at)).filter(y => y !== null).map(value),
    ]));
    const isAll = from <= left + 0.01 && to >= left + width - 0.01;
    const most = isAll || !seen.length ? this.first.y.high : Math.min(this.first.y.high, Math.max(...seen) * 1.03);
    const high = most > this.first.y.low ? most : this.first.y.high;
    const above = seen.filter(one => one > high / 1e4);
    const low = isLog ? Math.min(above.length ? Math.min(...above) * 0.9 : high / 10, high / 2) : this.first.y.low;
    return { isLog, low, high };
  }

  /** Draws the curves and the axes on the present scales. */
  draw() {
    this.clip();
    const place = between(this.frame, this.first, this.now);
    for (const curve of this.curves) curve.draw(place);
    if (!this.axes) return;
    drawAxes(this.axes, this.frame, this.now);
    const titles = all('.axis-title', SVGElement, this.axes);
    [this.now.x, this.now.y].forEach((scale, index) => {
      if (titles[index]) titles[index].textContent = titled(titles[index].textContent ?? '', scale.isLog);
    });
  }

  /** Puts the curves into a picture of their own, which ends at the frame. */
  clip() {
    const elements = all('.curve', SVGElement, this.figure).filter(element => this.curves.some(curve => curve.elements.includes(element)));
    const first = elements.at(0);
    if (!first || first.parentElement?.matches('.clip')) return;
    const { left, top, width, height: tall } = this.frame;
    const inner = this.shape('svg', 'clip');
    set(inner, { x: left, y: top, width, height: tall, viewBox: `${left} ${top} ${width} ${tall}` });
    first.before(inner);
    inner.append(...elements);
  }

  /** @param {PointerEvent} event */
  at(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.figure.getScreenCTM()?.inverse());
  }

  /** @param {DOMPoint} at */
  isInside(at) {
    const { left, top, width, height: tall } = this.frame;
    return at.x >= left && at.x <= left + width && at.y >= top && at.y <= top + tall;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const at = this.at(event);
    if (event.button !== 0 || !this.isInside(at)) return;
    this.from = at.x;
    this.x = at.x;
    this.figure.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  point(event) {
    const at = this.at(event);
    const isHere = this.isInside(at);
    if (this.from === null && !isHere) this.hide();
    else if (this.from !== null || isHere) this.read(at.x, new DOMPoint(event.clientX, event.clientY), at.y);
  }

  /** Shows the range that is marked, if it is one. */
  release() {
    const { left, width } = this.frame;
    const [from, to] = [this.from ?? this.x, this.x].sort((a, b) => a - b);
    if (this.from === null || to - from < LEAST) return this.forget();
    return this.show([valueAt(this.now.x, (from - left) / width), valueAt(this.now.x, (to - left) / width)], this.now.x.isLog, this.now.y.isLog);
  }

  /** No range is marked any more. */
  forget() {
    this.from = null;
    this.brush.classList.add('off');
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = event.key === 'ArrowLeft' ? -1 : Number(event.key === 'ArrowRight');
    if (step) {
      this.from = event.shiftKey ? this.from ?? this.x : null;
      const x = Math.max(this.frame.left, Math.min(this.frame.left + this.frame.width, this.x + step * this.frame.width / 50));
      this.read(x, new DOMPoint(x, this.frame.top).matrixTransform(this.figure.getScreenCTM() ?? undefined));
    } else if (event.key === 'Enter') this.release();
    else if (event.key === '+') this.zoomBy(1 / 2);
    else if (event.key === '-') this.zoomBy(2);
    else if (event.key === '0') this.reset();
    else if (event.key === 'Escape') this.hide();
    else return;
    event.preventDefault();
  }

  hide() {
    this.box.hidden = true;
    this.line.classList.add('off');
    this.forget();
    for (const curve of this.curves) curve.emphasise(false);
  }

  /** Shows the values at a place. @param {number} x @param {DOMPoint} at on the screen @param {number} [y] of the pointer */
  read(x, at, y) {
    const { left, top, width, height: tall } = this.frame;
    this.x = Math.max(left, Math.min(left + width, x));
    const value = valueAt(this.now.x, (this.x - left) / width);
    const found = this.values(value);
    const nearest = y === undefined ? undefined : found.toSorted((a, b) => Math.abs(a.pixel - y) - Math.abs(b.pixel - y)).at(0);
    for (const curve of this.curves) curve.emphasise(curve === nearest?.curve);
    set(this.line, { x1: this.x, x2: this.x, y1: top, y2: top + tall });
    this.line.classList.remove('off');
    const from = this.from ?? this.x;
    set(this.brush, { x: Math.min(from, this.x), y: top, width: Math.abs(this.x - from), height: tall });
    if (from !== this.x && !this.brush.isConnected) this.line.before(this.brush);
    this.brush.classList.toggle('off', from === this.x);
    const range = from === this.x ? [] : [valueAt(this.now.x, (from - left) / width), value].sort((a, b) => a - b);
    const what = this.axes?.querySelector('.axis-title')?.textContent?.split(' (')[0] ?? 'x';
    const head = range.length ? `${what} ${shown(range[0])} to ${shown(range[1])}` : `${what} ${shown(value)}`;
    this.tell(at, [make('div', { class: 'place' }, head),
      ...found.map(one => make('div', one === nearest ? { class: 'nearest' } : {}, one.words))]);
    set(this.element, { 'aria-valuetext': [head, ...found.map(one => one.words)].join('; '), 'aria-valuenow': Math.round((this.x - left) / width * 100) });
  }

  /** What each curve that is shown has at a value of the x axis. @param {number} at */
  values(at) {
    const { left, top, width, height: tall } = this.frame;
    const x = left + shareOf(this.first.x, at) * width;
    const value = (/** @type {number} */ y) => valueAt(this.first.y, (top + tall - y) / tall);
    return this.curves.filter(curve => curve.isShown()).flatMap(curve => {
      const y = heightAt(curve.line, x);
      if (y === null) return [];
      const ends = [curve.lower, curve.upper].map(points => heightAt(points, x));
      const within = ends[0] === null || ends[1] === null ? '' : ` (${shown(value(ends[0]))} to ${shown(value(ends[1]))})`;
      const pixel = top + (1 - shareOf(this.now.y, value(y))) * tall;
      return [{ curve, pixel, words: `${curve.name}: ${shown(value(y))}${within}` }];
    });
  }

  /** Shows the box beside a place. @param {DOMPoint} at @param {HTMLElement[]} lines */
  tell(at, lines) {
    this.box.replaceChildren(...lines);
    this.box.hidden = false;
    const { clientWidth, clientHeight } = document.documentElement;
    this.box.style.left = `${Math.max(8, Math.min(at.x + 14, clientWidth - this.box.offsetWidth - 8))}px`;
    this.box.style.top = `${Math.max(8, Math.min(at.y + 14, clientHeight - this.box.offsetHeight - 8))}px`;
  }
}

/** What the legend of a figure calls a curve. @param {SVGSVGElement} figure @param {SVGElement} curve */
function nameOf(figure, curve) {
  const entry = all('.entry', SVGElement, figure).find(one => one.dataset.series === curve.dataset.series);
  return entry?.textContent?.trim() ?? 'value';
}

/** Lets all charts tell their values and be zoomed. @param {HTMLElement} root */
export function charts(root) {
  const box = make('div', { class: 'values' });
  box.hidden = true;
  root.append(box);
  for (const figure of all('svg.figure', SVGSVGElement, root)) {
    /** @type {Chart[]} */
    const found = [];
    for (const element of all('.chart, .curve', SVGElement, figure)) {
      if (element.matches('.chart')) {
        const before = element.previousElementSibling;
        found.push(new Chart(figure, element, before?.matches('.axes') ? before : null, box));
      } else found.at(-1)?.add(element, nameOf(figure, element));
    }
    figure.after(...found.map(chart => chart.begin()));
  }
}
