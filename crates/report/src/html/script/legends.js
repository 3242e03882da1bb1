// Legends: a click on an entry hides its curves.

import { all, set } from './dom.js';

/** Does something on a click, Enter and space. @param {Element} element @param {() => void} act */
function pressed(element, act) {
  element.addEventListener('click', act);
  element.addEventListener('keydown', event => {
    if (!(event instanceof KeyboardEvent) || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    act();
  });
}

/** Makes the entries of all legends buttons. @param {HTMLElement} root */
export function legends(root) {
  for (const entry of all('svg.figure .entry', SVGElement, root)) {
    const figure = entry.ownerSVGElement;
    if (!figure) continue;
    const curves = all('.curve', SVGElement, figure).filter(curve => curve.dataset.series === entry.dataset.series);
    if (!curves.length) continue;
    set(figure, { role: 'group' });
    set(entry, { role: 'button', tabindex: 0, 'aria-pressed': true });
    pressed(entry, () => {
      const shows = entry.getAttribute('aria-pressed') === 'false';
      set(entry, { 'aria-pressed': shows });
      for (const curve of curves) curve.classList.toggle('off', !shows);
    });
  }
}
