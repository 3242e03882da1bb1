// The page Solver: both sides, forwards and back, and what leads from step to step.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { LOOKS, check, close, open, serve, sound } from './harness.js';

/** @typedef {import('./harness.js').Opened} Opened */

const FOUR = '4:b_a4_a_6aa,m8s1a6s1m4a3d2';

/** @param {Opened} page */
const search = page => page.getByRole('region', { name: 'The exact search' });

/** @param {Opened} page */
const person = page => page.getByRole('region', { name: 'A person' });

/** Waits until a side stands at a step. @param {import('playwright-core').Locator} side @param {number | string} number */
const stands = (side, number) => side.getByText(new RegExp(`^Step ${number} of `)).waitFor();

/** Opens a puzzle, until its name is seen. @param {Opened} page @param {string} text @param {string} [name] */
async function give(page, text, name = 'puzzle') {
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.locator('#open-text').fill(text);
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

for (const look of LOOKS) {
  check(`the solver is sound at ${look.width} pixels, ${look.scheme}`, async () => {
    const page = await open(await serve(), '/solver', look);
    await stands(search(page), 0);
    await person(page).getByText('B3 is 2: it is given').waitFor();
    await search(page).getByRole('button', { name: /^On to the next conflict/ }).click();
    await search(page).getByText(/^conflict: row A/).waitFor();
    await search(page).locator('svg .wrong').first().waitFor();
    await person(page).getByRole('button', { name: /^On to the next hardest/ }).click();
    await person(page).getByText(/6\.2$/).first().waitFor();
    await sound(page, `solver-${look.width}-${look.scheme}`);
    await close(page);
  });
}

check('both grids stand at one height, whatever is said above them', async () => {
  for (const width of [800, 1400]) {
    const page = await open(await serve(), '/solver', { width });
    await stands(search(page), 0);
    await search(page).getByRole('button', { name: /^On to the next conflict/ }).click();
    await search(page).getByText(/^conflict: row A/).waitFor();
    await page.locator('.puzzle svg').nth(1).waitFor();
    const tops = await page.locator('.puzzle svg').evaluateAll(grids => grids.map(grid => Math.round(grid.getBoundingClientRect().top)));
    assert.equal(tops.length, 2);
    assert.equal(tops[0], tops[1]);
    await sound(page, `solver-${width}`);
    await close(page);
  }
});

check('every button moves its side, and the other stays', async () => {
  const page = await open(await serve(), '/solver');
  await give(page, FOUR);
  await stands(person(page), 0);
  for (const [side, other] of [[search(page), person(page)], [person(page), search(page)]]) {
    await stands(side, 0);
    const before = await other.locator('.where').textContent();
    await side.getByRole('button', { name: 'Step on' }).click();
    await stands(side, 1);
    await side.getByRole('button', { name: 'Last step' }).click();
    await side.getByText(/the end: this is the only solution|solved in 23 steps/).waitFor();
    assert.ok(await side.getByRole('button', { name: 'Step on' }).isDisabled());
    await side.getByRole('button', { name: 'Step back' }).click();
    await side.getByRole('button', { name: 'First step' }).click();
    await stands(side, 0);
    await side.getByRole('slider').fill('5');
    await stands(side, 5);
    assert.equal(await other.locator('.where').textContent(), before);
    await side.getByRole('button', { name: 'First step' }).click();
  }
  await page.getByLabel('Steps a second').selectOption('16');
  await search(page).getByRole('button', { name: 'Play' }).click();
  await search(page).getByText('the end: this is the only solution').waitFor();
  await search(page).getByRole('button', { name: 'Play' }).waitFor();
  await close(page);
});

check('keys move the side that was used last, and lead to landmarks', async () => {
  const page = await open(await serve(), '/solver');
  await stands(search(page), 0);
  await page.keyboard.press('ArrowRight');
  await stands(search(page), 1);
  await page.keyboard.press('>');
  await stands(search(page), 11);
  await page.keyboard.press('ArrowLeft');
  await stands(search(page), 10);
  await page.keyboard.press('d');
  await search(page).getByText(/^decision 1: try/).waitFor();
  await page.keyboard.press('c');
  await search(page).getByText(/^conflict:/).waitFor();
  await page.keyboard.press('D');
  await search(page).getByText(/^decision 2: try/).waitFor();
  await page.keyboard.press('s');
  await search(page).getByText('a solution', { exact: true }).waitFor();
  await page.keyboard.press('End');
  await search(page).getByText('the end: this is the only solution').waitFor();
  await page.keyboard.press('Home');
  await stands(search(page), 0);
  await page.keyboard.press('x');
  await page.keyboard.press('ArrowRight');
  await stands(person(page), 1);
  await page.keyboard.press('g');
  await stands(search(page), 0);
  await page.keyboard.press('Space');
  await person(page).getByRole('button', { name: 'Stop' }).waitFor();
  await page.keyboard.press('Space');
  await person(page).getByRole('button', { name: 'Play' }).waitFor();
  await page.keyboard.press('k');
  assert.equal(await page.getByRole('checkbox', { name: 'Candidates' }).isChecked(), false);
  await page.waitForFunction(() => !document.querySelector('#person .place[aria-label*=candidates]'));
  await page.keyboard.press('k');
  await page.locator('#person .place[aria-label*=candidates]').first().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('the next conflict').waitFor();
  await close(page);
});

check('every example can be stepped through', async () => {
  const page = await open(await serve(), '/solver');
  const names = await page.getByLabel('Example').locator('option').allTextContents();
  assert.ok(names.length > 8);
  for (const name of names.slice(1)) {
    await page.getByLabel('Example').selectOption(name);
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await stands(search(page), 0);
    await stands(person(page), 0);
    await search(page).getByRole('button', { name: 'Last step' }).click();
    await search(page).getByText(/^the end: /).waitFor();
    if (await person(page).getByRole('button', { name: 'Last step' }).isEnabled()) await person(page).getByRole('button', { name: 'Last step' }).click();
    await person(page).getByText(/^solved in|^after/).waitFor();
  }
  await close(page);
});

check('a large puzzle is stepped through in parts', async () => {
  const page = await open(await serve(), '/solver');
  const text = readFileSync(`${import.meta.dirname}/../../puzzles/unique-12x12.jsonl`, 'utf8').split('\n')[0];
  await give(page, text, JSON.parse(text).id);
  await stands(search(page), 0);
  await search(page).getByRole('slider').fill('200');
  await stands(search(page), 200);
  await search(page).getByRole('button', { name: 'Last step' }).click();
  await search(page).getByText(/^the end: /).waitFor();
  await stands(person(page), 0);
  await person(page).getByRole('slider').fill('160');
  await stands(person(page), 160);
  await close(page);
});

check('the address holds the puzzle: back, reload, to the bench and again', async () => {
  const page = await open(await serve(), '/solver');
  await page.getByRole('heading', { name: 'KenKen 6x6' }).waitFor();
  await give(page, FOUR);
  await page.reload();
  await search(page).getByRole('gridcell').nth(15).waitFor();
  assert.equal(await search(page).getByRole('gridcell').count(), 16);
  await page.goBack();
  await page.getByRole('heading', { name: 'KenKen 6x6' }).waitFor();
  await page.goForward();
  await page.getByRole('heading', { name: 'puzzle', exact: true }).waitFor();
  await page.getByRole('button', { name: 'To the bench' }).click();
  await page.waitForURL('**/bench');
  await page.getByRole('gridcell', { name: 'A1, cage 8×' }).waitFor();
  await page.getByRole('button', { name: 'Step through' }).click();
  await page.waitForURL('**/solver#z=*');
  await stands(search(page), 0);
  await close(page);
});

check('what is no puzzle is said, and two tabs step by themselves', async () => {
  const server = await serve();
  const page = await open(server, '/solver', { expects: /status of 422/ });
  await stands(search(page), 0);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.locator('#open-text').fill('2\n3+ A1 A2\n3+ B1 Q2\n');
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  const alert = page.getByRole('dialog').getByRole('alert');
  await alert.getByText('Cage 2 names row 17, column 2, outside the 2x2 grid. Line 3 of the puzzle, column 7.').waitFor();
  await sound(page, 'solver-wrong');
  await page.getByRole('button', { name: 'Close' }).click();
  const other = await open(server, '/solver', { context: page.context() });
  await stands(search(other), 0);
  await other.keyboard.press('ArrowRight');
  await stands(search(other), 1);
  await stands(search(page), 0);
  await close(other);
  await close(page);
});

check('the solver goes on when the server is back', async () => {
  const server = await serve();
  const page = await open(server, '/solver', { expects: /ERR_CONNECTION|Failed to load|status of 401/ });
  await stands(search(page), 0);
  await server.kill();
  await page.keyboard.press('ArrowRight');
  await page.getByText('The server does not answer. This page goes on').waitFor();
  await server.start();
  await page.getByText(/lost its token/).waitFor();
  await page.goto(server.url);
  await page.goto(server.at('/solver'));
  await stands(search(page), 0);
  await close(page);
});
