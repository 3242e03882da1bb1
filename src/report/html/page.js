
(() => {
  'use strict';
  const all = (query, within = document) => [...within.querySelectorAll(query)];

  // Tables: a click on a heading sorts, a second one the other way. Tables of the same rows are sorted as one.
  const size = text => {
    if (text.startsWith('never')) return Infinity;
    const found = text.replace(/(\d) (?=\d{3}(?!\d))/g, '$1').match(/^[<>]?\s*(-?[\d.]+(?:e-?\d+)?)\s*([kMG]?)(?![A-Za-z])/);
    return found ? found[1] * ({ k: 1e3, M: 1e6, G: 1e9 }[found[2]] || 1) : NaN;
  };
  const order = (a, b) => {
    const [x, y] = [size(a), size(b)];
    if (isNaN(x) && isNaN(y)) return a.localeCompare(b, 'en');
    return isNaN(x) - isNaN(y) || (x < y ? -1 : x > y ? 1 : 0);
  };
  const sort = (table, column) => {
    const tables = table.dataset.rows ? all(`table[data-rows="${table.dataset.rows}"]`) : [table];
    const rises = table.tHead.rows[0].cells[column].getAttribute('aria-sort') !== 'ascending';
    const bodies = tables.map(one => one.tBodies[0]);
    const counts = bodies.map(body => body.rows.length);
    const word = row => (row.cells[column]?.firstChild?.textContent ?? '').trim();
    const rows = bodies.flatMap(body => [...body.rows]).map(row => [word(row), row]);
    rows.sort((a, b) => rises ? order(a[0], b[0]) : order(b[0], a[0]));
    bodies.forEach((body, place) => body.append(...rows.splice(0, counts[place]).map(pair => pair[1])));
    for (const one of tables) {
      [...one.tHead.rows[0].cells].forEach((head, place) => {
        if (place === column) head.setAttribute('aria-sort', rises ? 'ascending' : 'descending');
        else head.removeAttribute('aria-sort');
      });
    }
  };
  for (const table of all('table')) {
    if (!table.tHead || table.tHead.rows.length !== 1 || !table.tBodies.length) continue;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      button.addEventListener('click', () => sort(table, column));
      head.append(button);
    });
  }

  // Legends: a click on an entry hides its curves.
  for (const entry of all('svg.figure .entry')) {
    const figure = entry.closest('svg');
    const curves = all('.curve', figure).filter(curve => curve.dataset.series === entry.dataset.series);
    if (!curves.length) continue;
    figure.setAttribute('role', 'group');
    entry.setAttribute('role', 'button');
    entry.setAttribute('tabindex', 0);
    entry.setAttribute('aria-pressed', true);
    const toggle = () => {
      const shows = entry.getAttribute('aria-pressed') === 'false';
      entry.setAttribute('aria-pressed', shows);
      for (const curve of curves) curve.style.display = shows ? '' : 'none';
    };
    entry.addEventListener('click', toggle);
    entry.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      toggle();
    });
  }

  // Charts: a pointer, or the arrow keys, read the values of all curves.
  const box = document.createElement('div');
  box.className = 'values';
  box.hidden = true;
  document.body.append(box);
  const scale = words => {
    const [kind, low, high] = words.split(' ');
    return share => kind === 'log' ? low * (high / low) ** share : +low + (high - low) * share;
  };
  const shown = value => {
    const exact = Math.abs(value) >= 1000 ? Math.round(value) : +value.toPrecision(3);
    return exact.toLocaleString('en').replaceAll(',', '\u202f');
  };
  const height = (points, x) => {
    const next = points.findIndex(point => point[0] > x);
    if (next < 0) return x <= points[points.length - 1][0] ? points[points.length - 1][1] : null;
    if (next === 0) return null;
    const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
  };
  for (const figure of all('svg.figure')) {
    const charts = [];
    for (const element of all('.chart, .curve', figure)) {
      if (element.matches('.chart')) charts.push({ element, curves: [] });
      else if (charts.length) charts[charts.length - 1].curves.push(element);
    }
    const name = series => all('.entry', figure).find(entry => entry.dataset.series === series)?.textContent.trim();
    for (const chart of charts) {
      const [left, top, width, tall] = ['x', 'y', 'width', 'height'].map(key => +chart.element.getAttribute(key));
      const [across, up] = [scale(chart.element.dataset.x), scale(chart.element.dataset.y)];
      const line = document.createElementNS(figure.namespaceURI, 'line');
      line.setAttribute('class', 'axis');
      line.style.display = 'none';
      figure.append(line);
      const hide = () => { box.hidden = true; line.style.display = 'none'; };
      const read = (x, at) => {
        const lines = [`x ${shown(across((x - left) / width))}`];
        for (const curve of chart.curves) {
          const path = curve.querySelector('path.series');
          if (!path || curve.style.display === 'none') continue;
          path.points ??= [...path.getAttribute('d').matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(one => [+one[1], +one[2]]);
          const y = height(path.points, x);
          if (y !== null) lines.push(`${name(curve.dataset.series) ?? 'y'}: ${shown(up((top + tall - y) / tall))}`);
        }
        for (const [key, value] of [['x1', x], ['x2', x], ['y1', top], ['y2', top + tall]]) line.setAttribute(key, value);
        line.style.display = '';
        box.replaceChildren(...lines.map(words => Object.assign(document.createElement('div'), { textContent: words })));
        box.hidden = false;
        const room = document.documentElement.clientWidth - box.offsetWidth - 8;
        box.style.left = `${Math.max(8, Math.min(at.x + 14, room)) + scrollX}px`;
        box.style.top = `${at.y + 14 + scrollY}px`;
        chart.element.setAttribute('aria-valuetext', lines.join('; '));
        chart.element.setAttribute('aria-valuenow', Math.round((x - left) / width * 100));
        chart.x = x;
      };
      figure.addEventListener('pointermove', event => {
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(figure.getScreenCTM().inverse());
        const inside = at.x >= left && at.x <= left + width && at.y >= top && at.y <= top + tall;
        if (inside) read(at.x, { x: event.clientX, y: event.clientY }); else hide();
      });
      figure.addEventListener('pointerleave', hide);
      figure.setAttribute('role', 'group');
      for (const [key, value] of [['tabindex', 0], ['role', 'slider'], ['aria-label', 'values of the curves'], ['aria-valuemin', 0], ['aria-valuemax', 100], ['aria-valuenow', 0]]) chart.element.setAttribute(key, value);
      chart.element.addEventListener('keydown', event => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (event.key === 'Escape') hide();
        if (!step) return;
        event.preventDefault();
        const x = Math.max(left, Math.min(left + width, (chart.x ?? left) + step * width / 50));
        const at = new DOMPoint(x, top).matrixTransform(figure.getScreenCTM());
        read(x, at);
      });
      chart.element.addEventListener('blur', hide);
    }
  }
})();
