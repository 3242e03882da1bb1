// The page Bench: drawing, playing, ordering, and that nothing is lost.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { LOOKS, check, close, open, serve, sound } from './harness.js';

/** @typedef {import('./harness.js').Opened} Opened */

const FOUR = '4:b_a4_a_6aa,m8s1a6s1m4a3d2';
const SOLUTION = ['4123', '1432', '2314', '3241'];

/** What the server says of a request that it refuses, on the console of the browser. */
const REFUSED = { expects: /status of 422/ };

/** @param {Opened} page @param {string} name */
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

/** @param {Opened} page @param {string} name */
const cell = (page, name) => page.getByRole('gridcell', { name: new RegExp(`^${name}(,|$)`) });

/** Waits until the solver says this. @param {Opened} page @param {string | RegExp} words */
const says = (page, words) => page.locator('#facts').getByText(words).waitFor();

/** Waits until the puzzle that is open is the one that is seen. @param {Opened} page */
const drawn = page => page.locator('#puzzle[aria-busy=false]').waitFor();

/** @param {Opened} page @param {string} kind @param {number} size */
async function create(page, kind, size) {
  await press(page, 'New');
  await page.locator('#new-kind').selectOption(kind);
  await page.locator('#new-rows').fill(String(size));
  if (await page.locator('#new-cols').isVisible()) await page.locator('#new-cols').fill(String(size));
  await press(page, 'Create');
  await drawn(page);
}

/** @param {Opened} page @param {string} text */
async function paste(page, text) {
  await press(page, 'Open');
  await page.locator('#open-text').fill(text);
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('dialog', { name: 'Open a puzzle' }).waitFor({ state: 'detached' });
  await drawn(page);
}

/** Drags from a cell to another. @param {Opened} page @param {string} from @param {string} to */
async function drag(page, from, to) {
  const middle = async (/** @type {string} */ name) => {
    // A cell that is just being laid anew has no box yet.
    let box = null;
    while (!box) box = await cell(page, name).boundingBox();
    return /** @type {[number, number]} */ ([box.x + box.width / 2, box.y + box.height / 2]);
  };
  await page.mouse.move(...await middle(from));
  await page.mouse.down();
  await page.mouse.move(...await middle(to), { steps: 8 });
  await page.mouse.up();
}

/** @param {Opened} page */
const play = page => page.getByRole('tab', { name: 'Play' }).click();

for (const look of LOOKS) {
  check(`the bench is sound at ${look.width} pixels, ${look.scheme}`, async () => {
    const page = await open(await serve(), '/bench', look);
    await says(page, /Nothing has been drawn yet/);
    await sound(page, `bench-blank-${look.width}-${look.scheme}`);
    await paste(page, readFileSync(`${import.meta.dirname}/../../puzzles/original/6x6.txt`, 'utf8'));
    await says(page, 'One solution');
    await sound(page, `bench-draw-${look.width}-${look.scheme}`);
    await play(page);
    await press(page, 'Fill in pencil marks');
    await press(page, 'Hint');
    await page.getByRole('button', { name: 'Tell all' }).waitFor();
    await sound(page, `bench-play-${look.width}-${look.scheme}`);
    await press(page, 'Generate');
    await page.getByLabel('difficulty').selectOption('easy');
    await page.getByLabel('size').fill('4');
    await page.getByRole('dialog').getByRole('button', { name: 'Generate' }).click();
    await page.getByRole('button', { name: /^Open kenken/ }).waitFor();
    await sound(page, `bench-wish-${look.width}-${look.scheme}`);
    await close(page);
  });
}

check('the bench opens with an empty grid, and what is drawn there meanwhile is not covered', async () => {
  const page = await open(await serve(), '/bench');
  await says(page, /Nothing has been drawn yet/);
  assert.equal(await page.locator('#puzzle svg').locator('.pencil, .rests').count(), 0);
  await drag(page, 'A1', 'A2');
  await press(page, 'Make a cage');
  await page.keyboard.type('5+');
  await says(page, /At least 10/);
  assert.equal(await page.locator('#puzzle svg').locator('.pencil, .rests').count(), 0);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await press(page, 'Create');
  await page.getByRole('button', { name: 'Generate a puzzle' }).click();
  const difficulty = page.getByLabel('difficulty');
  await difficulty.waitFor();
  assert.deepEqual(await difficulty.locator('option').allTextContents(), ['any', 'easy', 'normal', 'hard', 'extreme', 'unreasonable']);
  await close(page);
});

check('a KenKen is drawn by mouse, and what the solver says follows', async () => {
  const page = await open(await serve(), '/bench');
  await create(page, 'kenken', 2);
  await says(page, /Nothing has been drawn yet/);
  await drag(page, 'A1', 'A2');
  await press(page, 'Make a cage');
  await page.keyboard.type('1');
  await press(page, 'operator −');
  await drag(page, 'B1', 'B2');
  await press(page, 'Make a cage');
  await page.keyboard.type('3-');
  await says(page, 'No solution');
  await says(page, /One clue contradicts the rules/);
  await page.locator('#puzzle svg .wrong').first().waitFor();
  await page.getByLabel('Clue of the cage').fill('3+');
  await says(page, /^2 solutions/);
  await page.getByText(/differ in 4 cells/).waitFor();
  await press(page, 'Dissolve');
  await cell(page, 'B1').click();
  await press(page, 'Make a cage');
  await page.keyboard.type('2');
  await says(page, /Still to draw: 1 cell in no cage/);
  await cell(page, 'B2').click();
  await press(page, 'Make a cage');
  await page.keyboard.type('1');
  await says(page, 'One solution');
  await says(page, 'easy 1.0');
  await close(page);
});

check('a KenKen is drawn by keys', async () => {
  const page = await open(await serve(), '/bench');
  await create(page, 'kenken', 2);
  await cell(page, 'A1').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('2/');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.keyboard.type('2');
  await says(page, 'One solution');
  assert.equal(await cell(page, 'A1').getAttribute('aria-label'), 'A1, cage 2÷');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Delete');
  await says(page, /1 cell in no cage/);
  await page.keyboard.press('Control+Z');
  await says(page, 'One solution');
  await close(page);
});

check('a step that makes no puzzle is taken back, and said', async () => {
  const page = await open(await serve(), '/bench', REFUSED);
  await create(page, 'kenken', 4);
  await cell(page, 'A1').click();
  await cell(page, 'C3').click({ modifiers: ['Control'] });
  await press(page, 'Make a cage');
  await page.keyboard.type('5+');
  await page.locator('#complaint').getByText(/not connected/).waitFor();
  await cell(page, 'A1, cage (5|without a clue)').waitFor();
  await close(page);
});

check('other kinds are drawn with what they are made of', async () => {
  const page = await open(await serve(), '/bench');
  await create(page, 'sudoku', 4);
  await cell(page, 'A1').click();
  await page.keyboard.type('1');
  await cell(page, 'A2').click();
  await press(page, 'given 1');
  await says(page, 'No solution');
  await says(page, /2 clues contradict each other/);
  await press(page, 'no given');
  await says(page, /solutions/);
  await create(page, 'futoshiki', 2);
  await drag(page, 'A1', 'A2');
  await page.keyboard.type('<');
  await says(page, 'One solution');
  await press(page, 'No sign');
  await says(page, /Nothing has been drawn yet/);
  await press(page, 'the first is greater');
  await says(page, 'One solution');
  await create(page, 'killer', 4);
  await drag(page, 'A1', 'B1');
  await press(page, 'Make a cage');
  await page.keyboard.type('9');
  await says(page, 'No solution');
  await create(page, 'kakuro', 3);
  await cell(page, 'A2').click();
  await page.getByLabel('Sum below').fill('3');
  await cell(page, 'A3').click();
  await page.keyboard.press('Escape');
  await page.getByLabel('Sum below').fill('4');
  await cell(page, 'B1').click();
  await page.keyboard.type('4');
  await page.getByText(/1 entry without a sum/).waitFor();
  await page.keyboard.press('Enter');
  await cell(page, 'C1').click();
  await page.keyboard.type('3');
  await says(page, 'One solution');
  await cell(page, 'C3').click();
  await press(page, 'Black');
  await cell(page, 'C3, black').waitFor();
  await press(page, 'White');
  await close(page);
});

check('a puzzle is played by keys, with pencil marks, to the end', async () => {
  const page = await open(await serve(), '/bench');
  await paste(page, FOUR);
  await play(page);
  await page.getByLabel('Timer').check();
  await cell(page, 'A1').focus();
  await page.keyboard.press('p');
  await page.keyboard.type('14');
  await cell(page, 'A1, pencil marks 1 4').waitFor();
  await page.keyboard.press('Space');
  await page.keyboard.type('1');
  await page.keyboard.press('c');
  await page.getByText(/no rule is broken yet/).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('1');
  await page.keyboard.press('c');
  await page.getByText(/Row A/).waitFor();
  await page.keyboard.press('h');
  await page.getByText(/Row A has a mistake/).waitFor();
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  await cell(page, 'A1').focus();
  for (const [row, line] of SOLUTION.entries()) {
    await cell(page, `${'ABCD'[row]}1`).focus();
    for (const digit of line) {
      await page.keyboard.type(digit);
      await page.keyboard.press('ArrowRight');
    }
  }
  await page.getByText(/Solved! Time: 0:/).waitFor();
  await close(page);
});

check('a puzzle is played by touch, with hints', async () => {
  const page = await open(await serve(), '/bench', { width: 400, height: 800 });
  await paste(page, FOUR);
  await play(page);
  await press(page, 'Hint');
  await press(page, 'Tell all');
  await press(page, 'Enter 3 in A4');
  await cell(page, 'A1').click();
  await press(page, 'digit 4');
  await cell(page, 'A1, digit 4').waitFor();
  await press(page, 'Am I right so far?');
  await page.getByText(/Right so far; 13 cells to go/).waitFor();
  await press(page, 'erase');
  await press(page, 'Pencil');
  await press(page, 'digit 2');
  await cell(page, 'A1, pencil marks 2').waitFor();
  await press(page, 'Fill in pencil marks');
  await cell(page, 'A1, pencil marks 1 2 4').waitFor();
  await press(page, 'Show the solution');
  await page.getByText('This is the solution.').waitFor();
  await press(page, 'Clear all');
  await page.getByRole('gridcell', { name: 'B2, cage 1−' }).waitFor();
  await close(page);
});

check('digits above nine are typed one after the other', async () => {
  const page = await open(await serve(), '/bench');
  await create(page, 'latin', 12);
  await play(page);
  await cell(page, 'A1').focus();
  await page.keyboard.type('12');
  await cell(page, 'A1, digit 12').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('1');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('2');
  await cell(page, 'A2, digit 1').waitFor();
  await cell(page, 'A3, digit 2').waitFor();
  await press(page, 'Undo');
  await press(page, 'Undo');
  await press(page, 'Undo');
  assert.ok(await page.getByRole('button', { name: 'Undo' }).isEnabled() === false, 'two keys are one step');
  await close(page);
});

check('every kind can be played', async () => {
  const page = await open(await serve(), '/bench');
  await paste(page, '{"kind":"queens","size":5,"id":"queens"}');
  await play(page);
  await page.getByRole('gridcell').nth(7).click();
  await page.getByRole('gridcell', { name: /^A3 as 2, digit 2/ }).waitFor();
  await press(page, 'Show the solution');
  await page.getByText(/one of several solutions/).waitFor();
  await paste(page, 'p edge 3 2\ne 1 2\ne 2 3\nc colors 2\n');
  await press(page, 'digit 1');
  await press(page, 'Am I right so far?');
  await page.getByText(/Right so far; 2 cells to go/).waitFor();
  await paste(page, '{"kind":"magic","size":3,"id":"magic"}');
  await press(page, 'Show the solution');
  await page.getByText(/one of several solutions/).waitFor();
  await close(page);
});

check('every step can be undone and done again, after a reload too', async () => {
  const page = await open(await serve(), '/bench');
  await paste(page, FOUR);
  await play(page);
  const names = ['A1', 'A2', 'A3', 'A4', 'B1', 'B2', 'B3', 'B4'];
  for (const name of names) {
    await cell(page, name).click();
    await page.keyboard.type('1');
  }
  await page.reload();
  await cell(page, 'B4, digit 1').waitFor();
  for (const _ of names) await page.keyboard.press('Control+Z');
  await cell(page, 'A1, cage 8×').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled());
  for (const _ of names) await page.keyboard.press('Control+Y');
  await cell(page, 'B4, digit 1').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Redo' }).isDisabled());
  await close(page);
});

check('two tabs follow each other, and the shelf keeps every puzzle', async () => {
  const server = await serve();
  const page = await open(server, '/bench');
  await paste(page, FOUR);
  const other = await open(server, '/bench', { context: page.context() });
  await play(other);
  await cell(other, 'A1').click();
  await other.keyboard.type('4');
  await cell(other, 'A1, digit 4').waitFor();
  await play(page);
  await cell(page, 'A1, digit 4').waitFor();
  await create(other, 'sudoku', 4);
  await cell(page, 'A2').click();
  await page.keyboard.type('1');
  await press(other, 'Shelf');
  await press(other, 'Open puzzle');
  await play(other);
  await cell(other, 'A2, digit 1').waitFor();
  await press(other, 'Shelf');
  await press(other, 'Delete Sudoku 4x4');
  await other.getByRole('button', { name: 'Delete Sudoku 4x4' }).click();
  await other.getByText('Sudoku 4x4').waitFor({ state: 'detached' });
  await close(other);
  await close(page);
});

check('work that two tabs do in the same moment is kept twice', async () => {
  const page = await open(await serve(), '/bench');
  await paste(page, FOUR);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage).filter(name => name.startsWith('kenga.bench.v1.'))) {
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage[key]), revision: 'another' }));
    }
  });
  await play(page);
  await cell(page, 'A1').click();
  await page.keyboard.type('4');
  await page.getByText(/goes on as a copy/).waitFor();
  await press(page, 'Shelf');
  await page.getByText('puzzle (copy)').last().waitFor();
  await close(page);
});

check('a full storage says so', async () => {
  const page = await open(await serve(), '/bench');
  await paste(page, FOUR);
  await page.evaluate(() => {
    let filler = 'x'.repeat(1 << 20);
    for (let count = 0; filler; count++) {
      try {
        localStorage.setItem(`filler${count}`, filler);
      } catch {
        filler = filler.slice(filler.length / 2 + 0.5);
      }
    }
  });
  await play(page);
  await cell(page, 'A1').click();
  await page.keyboard.type('4');
  await page.getByText(/storage of this browser is full/).waitFor();
  await cell(page, 'A1, digit 4').waitFor();
  await close(page);
});

check('puzzles are made to a wish, one by one, and the rest can be cancelled', async () => {
  const page = await open(await serve(), '/bench', { ...REFUSED });
  await press(page, 'Generate');
  await page.getByLabel('size').fill('4');
  await page.getByLabel('difficulty').selectOption('easy');
  await page.getByLabel('count').fill('2');
  const make = page.getByRole('dialog').getByRole('button', { name: 'Generate' });
  await make.click();
  await page.getByText('2 of 2').waitFor();
  const made = page.getByRole('list', { name: 'Puzzles made' }).getByRole('listitem');
  await made.nth(1).waitFor();
  assert.equal(await made.count(), 2);
  await page.getByText('More options').click();
  await page.getByLabel('require').fill('tricky');
  await make.click();
  await page.getByRole('alert').filter({ hasText: 'tricky' }).waitFor();
  await page.getByLabel('require').fill('');
  await page.getByLabel('size').fill('9');
  await page.getByLabel('difficulty').selectOption('extreme');
  await page.getByLabel('count').fill('100');
  await make.click();
  await press(page, 'Cancel');
  await page.getByText(/Cancelled/).waitFor();
  await page.locator('#wish-kind').selectOption('kakuro');
  await page.getByLabel('rows').fill('5');
  await page.getByLabel('cols').fill('5');
  await make.click();
  await page.getByRole('button', { name: /^Open kakuro/ }).click();
  await page.getByRole('heading', { name: /kakuro/ }).waitFor();
  await says(page, 'One solution');
  await close(page);
});

check('a puzzle is written in every format, copied, downloaded, printed and shared', async () => {
  const page = await open(await serve(), '/bench', REFUSED);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await paste(page, FOUR);
  await press(page, 'Export');
  const written = (/** @type {string} */ name) => page.waitForResponse(response => response.url().endsWith('/convert') && response.request().postDataJSON().to === name);
  await page.locator('.preview svg').waitFor();
  const format = page.locator('#export-format');
  assert.deepEqual(await format.locator('optgroup').evaluateAll(groups => groups.map(group => group.getAttribute('label'))), ['Pictures', 'Puzzle formats', 'Models for other solvers']);
  assert.deepEqual((await format.locator('option').allTextContents()).slice(0, 4), ['PNG', 'PDF', 'SVG', 'json']);
  await page.getByRole('button', { name: 'Download' }).and(page.locator(':enabled')).waitFor();
  await sound(page, 'bench-export');
  for (const [name, begin] of [['png', '\x89PNG'], ['pdf', '%PDF'], ['svg', '<svg']]) {
    await Promise.all([written(name), format.selectOption(name), name === 'png' && format.dispatchEvent('change')]);
    await page.getByRole('button', { name: 'Download' }).and(page.locator(':enabled')).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')]);
    assert.equal(download.suggestedFilename(), `puzzle.${name}`);
    assert.ok(readFileSync(await download.path(), 'latin1').includes(begin), name);
  }
  await format.selectOption('keen');
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('#export-text')).value.startsWith('4:'));
  await press(page, 'Copy');
  await page.getByText('Copied.').waitFor();
  assert.equal((await page.evaluate(() => navigator.clipboard.readText())).trim(), FOUR);
  await format.selectOption('kakuro_grid');
  await page.getByText(/cannot hold/).waitFor();
  await press(page, 'Close');
  await press(page, 'Share');
  await page.getByText(/is on the clipboard/).waitFor();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.locator('#puzzle svg').isVisible());
  assert.ok(!await page.locator('#tools').isVisible() && !await page.locator('.side').isVisible());
  await page.emulateMedia({ media: 'screen' });
  await create(page, 'sudoku', 4);
  await page.goto(address);
  await cell(page, 'A1, cage 8×').waitFor();
  // The server has read it first.
  await page.waitForFunction(() => location.hash === '');
  await close(page);
});

check('a puzzle in an address is read by the server before it is stored', async () => {
  const server = await serve();
  const page = await open(server, '/bench', REFUSED);
  await create(page, 'kenken', 4);
  const stored = () => page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('kenga.bench.v1.')).length);
  const before = await stored();
  const address = await page.evaluate(async () => {
    const { packed } = await import(/** @type {any} */ ('/page/common/link.js'));
    return packed({ kind: 'kenken', size: 4, cages: [{ cells: [[0, 0], [9, 9]], op: '+', target: 5 }] });
  });
  await page.goto(server.at(`/bench${address}`));
  await page.locator('#said').getByRole('alert').waitFor();
  assert.equal(await stored(), before);
  await page.reload();
  await says(page, /Nothing has been drawn yet/);
  assert.equal(await stored(), before);
  await close(page);
});

check('what is pasted or dropped on the page is opened', async () => {
  const page = await open(await serve(), '/bench', REFUSED);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(text => navigator.clipboard.writeText(text), FOUR);
  await cell(page, 'A1').focus();
  await page.keyboard.press('Control+V');
  await cell(page, 'A1, cage 8×').waitFor();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['2\n3+ A1 A2\n3+ B1 B2\n'], 'puzzle.txt'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await cell(page, 'A1, cage 3\\+').waitFor();
  await page.evaluate(() => navigator.clipboard.writeText('no puzzle'));
  await cell(page, 'A1').focus();
  await page.keyboard.press('Control+V');
  await page.locator('#complaint').getByText('The text is in no known puzzle format.').waitFor();
  await close(page);
});

check('the bench goes on when the server is back', async () => {
  const server = await serve();
  const page = await open(server, '/bench', { expects: /ERR_CONNECTION|Failed to load/ });
  await paste(page, FOUR);
  await says(page, 'One solution');
  await server.kill();
  await cell(page, 'A1').click();
  await page.keyboard.press('Delete');
  await page.getByText('The server does not answer. This page goes on').waitFor();
  await server.start();
  await page.getByText(/lost its token/).waitFor();
  await page.goto(server.url);
  await page.goto(server.at('/bench'));
  await says(page, /3 cells in no cage/);
  await close(page);
});

check('the keys are shown', async () => {
  const page = await open(await serve(), '/bench');
  await cell(page, 'A1').waitFor();
  await page.locator('h1').click();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('undo, redo').waitFor();
  await page.getByRole('dialog', { name: 'Keys' }).getByRole('button', { name: 'Close' }).click();
  await press(page, 'Keys');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await close(page);
});
