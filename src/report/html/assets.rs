//! The style of the page around the pictures, and its script, which sorts tables, hides curves and shows their values;
//! without the script the page shows the same.

/// The style sheet; its colours are those of the pictures.
pub(super) const PAGE_STYLE: &str = "
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}
main{max-width:64rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 1.2rem;overflow-wrap:anywhere}
h2{font-size:1.3rem;margin:3rem 0 .8rem;padding-bottom:.3rem;border-bottom:1px solid var(--rule)}
h3{font-size:1rem;margin:1.4rem 0 .5rem;overflow-wrap:anywhere}
p{margin:.6rem 0}
a{color:var(--c0)}
code,pre{font-family:ui-monospace,'Cascadia Mono',Menlo,Consolas,'Liberation Mono',monospace;font-size:.85em}
pre{margin:.6rem 0;padding:.7rem .9rem;border:1px solid var(--rule);border-radius:4px;overflow-x:auto;line-height:1.4}
pre code{font-size:1em}
dl.summary{display:flex;flex-wrap:wrap;gap:.6rem 2.4rem;margin:0 0 1.2rem}
dl.summary div{display:flex;flex-direction:column}
dl.summary dd{margin:0;font-size:1.7rem;font-weight:600;line-height:1.2}
dl.summary dt{color:var(--soft);font-size:.9rem}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;margin:.8rem 0}
dl.facts dt{color:var(--soft)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
nav ol{columns:2 18rem;margin:0;padding-left:1.3rem;font-size:.95rem}
figure{margin:1.2rem 0 1.8rem}
figure h3{margin-top:0}
figcaption,.note,.remarks{color:var(--soft);font-size:.88rem;line-height:1.5;max-width:46rem}
figcaption{margin-top:.4rem}
.note b{color:var(--ink);font-weight:600}
.remarks{padding-left:1.2rem}
.absent{color:var(--soft)}
.warning{border-left:4px solid var(--c1);padding:.3rem .8rem}
svg.narrow{display:none}
.figure .chart{pointer-events:all}
.figure [role=button]{cursor:pointer}
.figure [aria-pressed=false]{opacity:.35}
.figure [role=button]:focus-visible,.figure .chart:focus-visible{outline:2px solid var(--c0)}
.values{position:absolute;z-index:1;max-width:20rem;padding:.35rem .6rem;border:1px solid var(--edge);border-radius:4px;background:var(--page);font-size:.8rem;line-height:1.4;pointer-events:none;font-variant-numeric:tabular-nums}
th button{all:unset;cursor:pointer}
th button:focus-visible{outline:2px solid var(--c0)}
th[aria-sort=ascending] button::after{content:' ↑'}
th[aria-sort=descending] button::after{content:' ↓'}
ul.tree,ul.tree ul{margin:0;padding-left:1.1rem}
ul.tree{padding-left:0;list-style:none}
.parameters{color:var(--soft)}
.panels{display:flex;flex-wrap:wrap;gap:0 1.2rem}
.panel{max-width:100%}
.panel h3{margin:.6rem 0 .5rem}
.puzzles{display:flex;flex-wrap:wrap;gap:1rem 2rem}
.puzzles figure{margin:.4rem 0;max-width:100%}
.puzzles figcaption{max-width:20rem;overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.82rem;font-variant-numeric:tabular-nums;min-width:100%}
th,td{padding:.28rem .6rem .28rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
th{color:var(--soft);font-weight:600;vertical-align:bottom}
details.part{margin:1rem 0}
.number+th:not(.number),.number+td:not(.number){padding-left:.6rem}
.number{text-align:right;white-space:nowrap}
.interval{display:block;color:var(--soft);font-size:.85em;font-weight:400}
details summary{cursor:pointer;color:var(--soft)}
footer{margin-top:3rem;color:var(--soft);font-size:.85rem}
@media screen and (max-width:45rem){
main{padding:1.5rem 1.25rem 3rem}
svg.broad{display:none}
svg.narrow{display:block;width:100%;max-width:30rem}
dl.facts{display:block}
dl.facts dt{margin-top:.5rem}
}
@media print{
body{font-size:10pt}
main{max-width:none;padding:0}
nav{display:none}
h2,h3{break-after:avoid}
.panels{gap:0 2%}
.panel:not(:only-child){max-width:48%}
figure{break-inside:avoid}
tr{break-inside:avoid}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
.wide{overflow:visible}
table{font-size:7pt}
th,td{padding-right:.3rem}
a{color:inherit}
}
";

/// Everything that the page runs; it loads nothing and sends nothing.
pub(super) const SCRIPT: &str = r#"
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
"#;
