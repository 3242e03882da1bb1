// The Theatre: a run watched from start to end, forwards and back.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOKS, PROGRAM, check, close, open, serve, sound } from './harness.js';

/** @typedef {import('./harness.js').Opened} Opened */
/** @typedef {import('./harness.js').Server} Server */

const SHORT = `seed = 3
replicates = 3
budget.evaluations = 6000
algorithm = { name = "islands", count = 4, interval = 300, island = { name = "genetic", encoding = "rows", population = 20 } }
`;

/** What the page says of the moment. @param {Opened} page */
const now = page => page.locator('#now').innerText();

/** The generation that is shown. @param {Opened} page */
async function generation(page) {
  const found = (await now(page)).match(/generation ([\d\u202f]+)/);
  return Number(found?.[1].replaceAll('\u202f', '') ?? -1);
}

/** Waits until the page says it. @param {Opened} page @param {RegExp} words */
async function says(page, words) {
  await page.waitForFunction(source => new RegExp(source).test(document.querySelector('#now')?.textContent ?? ''), words.source);
}

/** @param {Opened} page @param {number} wanted */
const comesTo = (page, wanted) => says(page, new RegExp(`generation ${wanted}( |$)`));

/** Opens the page and plays a configuration. @param {Server} server @param {Parameters<typeof open>[2]} [look] @param {string} [config] */
async function played(server, look, config = SHORT) {
  const page = await open(server, '/theatre', look);
  await page.locator('#what option').first().waitFor({ state: 'attached' });
  await page.getByText('Change the configuration').click();
  await page.getByLabel('Configuration (TOML)').fill(config);
  await page.locator('#choose').getByRole('button', { name: 'Play' }).click();
  await says(page, /generation/);
  return page;
}

/** One that is paused at the start. @param {Server} server @param {Parameters<typeof open>[2]} [look] */
async function paused(server, look) {
  const page = await played(server, look);
  await page.locator('#transport').getByRole('button', { name: 'To the start' }).click();
  await comesTo(page, 0);
  return page;
}

for (const look of LOOKS) {
  check(`the theatre is sound at ${look.width} pixels, ${look.scheme}`, async () => {
    const page = await open(await serve(), '/theatre', look);
    await page.locator('#what option').first().waitFor({ state: 'attached' });
    await sound(page, `theatre-choice-${look.width}-${look.scheme}`);
    await close(page);
    const run = await paused(await serve(), look);
    await run.getByRole('button', { name: 'To the end' }).click();
    await says(run, /stopped/);
    await run.locator('.population-picture canvas').click();
    await run.locator('#microscope .genome').first().waitFor();
    await sound(run, `theatre-${look.width}-${look.scheme}`);
    await close(run);
  });
}

check('a run is watched from its start to its end', async () => {
  const page = await played(await serve(), {}, SHORT.replace('6000', '3000'));
  await page.getByLabel('Generations a second').selectOption('250');
  const first = await generation(page);
  await says(page, /stopped: evaluations/);
  assert.ok(await generation(page) > first);
  assert.match(await page.locator('#spent').innerText(), /3\u202f000 of 3\u202f000 evaluations.*100\.0 % of the budget.*one solution/);
  assert.match(await page.locator('#best-title').innerText(), /Best: fitness \d+, \d+ wrong/);
  // Six curves, four islands, and migrants that have gone.
  for (const [parts, count] of /** @type {[string, number][]} */ ([['#grid .best-digit', 36], ['#charts path', 6], ['#islands .island', 4], ['#islands .edge', 4]])) {
    await page.locator(parts).nth(count - 1).waitFor({ state: 'attached' });
  }
  assert.equal(await page.locator('#grid .best-digit').count(), 36);
  assert.equal(await page.locator('#islands .island').count(), 4);
  await close(page);
});

check('every button does what it says', async () => {
  const page = await paused(await serve());
  const press = (/** @type {string} */ name) => page.locator('#transport').getByRole('button', { name, exact: true }).click();
  await press('+1 generation');
  await comesTo(page, 1);
  await press('+10 generations');
  await comesTo(page, 11);
  await press('−1 generation');
  await comesTo(page, 10);
  await press('−10 generations');
  await comesTo(page, 0);
  const before = await page.locator('#best-title').innerText();
  await press('To the next improvement');
  await page.waitForFunction(words => document.querySelector('#best-title')?.textContent !== words, before);
  await press('Count operators');
  await page.locator('#operators table').waitFor();
  await press('Play');
  await says(page, /playing/);
  await press('Pause');
  await says(page, /paused/);
  await press('The next run');
  await says(page, /replicate 1/);
  await press('The previous run');
  await page.waitForFunction(() => !document.querySelector('#now')?.textContent?.includes('replicate'));
  await press('To the end');
  await says(page, /stopped/);
  await press('Play');
  await says(page, /playing/);
  await press('Keys');
  await page.getByRole('dialog', { name: 'Keys' }).getByRole('button', { name: 'Close' }).click();
  await close(page);
});

check('every key does what it says', async () => {
  const page = await paused(await serve());
  await page.locator('h1').click();
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  await press('.');
  await comesTo(page, 1);
  await press('>');
  await comesTo(page, 11);
  await press(',');
  await comesTo(page, 10);
  await press('<');
  await comesTo(page, 0);
  await press('End');
  await says(page, /stopped/);
  const last = await generation(page);
  await press('ArrowLeft');
  await comesTo(page, last - 1);
  await press('Home');
  await comesTo(page, 0);
  await press('ArrowRight');
  await comesTo(page, 1);
  await press('-');
  await page.waitForFunction(speed => /** @type {HTMLSelectElement | null} */ (document.querySelector('#transport select'))?.value === speed, '5');
  await press('+');
  await page.waitForFunction(speed => /** @type {HTMLSelectElement | null} */ (document.querySelector('#transport select'))?.value === speed, '10');
  await press(']');
  await page.getByRole('heading', { name: 'Population of island 1: 20 by fitness' }).waitFor();
  await press('[');
  await page.getByRole('heading', { name: 'Population of island 0: 20 by fitness' }).waitFor();
  await press('o');
  await page.locator('#operators table').waitFor();
  await press('i');
  await page.waitForFunction(() => !/generation 1( |$)/.test(document.querySelector('#now')?.textContent ?? ''));
  await press('n');
  await says(page, /replicate 1/);
  await press('p');
  await page.waitForFunction(() => !document.querySelector('#now')?.textContent?.includes('replicate'));
  await press(' ');
  await says(page, /playing/);
  await press(' ');
  await says(page, /paused/);
  await press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await close(page);
});

check('the microscope shows how an individual came to be, by mouse and by keys', async () => {
  const page = await paused(await serve());
  await page.locator('#transport').getByRole('button', { name: '+10 generations' }).click();
  await comesTo(page, 10);
  const canvas = page.locator('.population-picture canvas');
  await canvas.hover({ position: { x: 5, y: 5 } });
  assert.match(await page.locator('#individual-words').innerText(), /individual 1 of 20, fitness \d+: A1 is \d/);
  for (let row = 0; row < 4; row += 1) {
    await canvas.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('#microscope', { hasText: `Individual ${row + 2} of island 0, generation 10` }).waitFor();
    const words = await page.locator('#microscope').innerText();
    if (!/not a child/.test(words)) {
      assert.match(words, /first parent.*fitness \d+/);
      assert.match(words, /after crossover|copied, no crossover/);
      assert.match(words, /after mutation/);
      assert.match(words, /Repaired against the better parent/);
      assert.equal(await page.locator('#microscope .small-grid').count() >= 4, true);
    }
  }
  await close(page);
});

check('time is moved by the slider and by a click on the charts, and the grid says what is in a cell', async () => {
  const page = await paused(await serve());
  await page.getByRole('button', { name: 'To the end' }).click();
  await says(page, /stopped/);
  await page.getByLabel('Generation', { exact: true }).fill('7');
  await comesTo(page, 7);
  const box = await page.locator('#charts').boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  await page.locator('#charts .here').waitFor({ state: 'attached' });
  await page.mouse.click(box.x + box.width / 2, box.y + 60);
  await page.waitForFunction(() => !/generation 7( |$)/.test(document.querySelector('#now')?.textContent ?? ''));
  await page.getByRole('gridcell').first().focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await page.locator('#cell-words').innerText(), /^A2: \d/);
  await page.locator('#islands .island').nth(2).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /Population of island 2/ }).waitFor();
  await close(page);
});

check('the microscope asks of the generation that was clicked, waits for a replay, and stops when the run goes on', async () => {
  const page = await paused(await serve(), { expects: /status of 429/ });
  /** @type {any[]} */
  const asked = [];
  let isLate = true;
  await page.route('**/api/v1/births', async route => {
    asked.push(route.request().postDataJSON());
    const error = { code: 'busy', message: 'the run is being replayed', text: null, help: null };
    if (isLate) await route.fulfill({ status: 429, json: { error } });
    else await route.continue();
  });
  await page.locator('#transport').getByRole('button', { name: '+10 generations' }).click();
  await comesTo(page, 10);
  const canvas = page.locator('.population-picture canvas');
  await canvas.click({ position: { x: 5, y: 5 } });
  await page.locator('#microscope').getByText('The run is replayed').waitFor();
  await canvas.click({ position: { x: 5, y: 5 } });
  const before = asked.length;
  await page.waitForTimeout(1000);
  assert.ok(asked.length - before <= 4, `${asked.length - before} requests in a second`);
  await page.locator('#transport').getByRole('button', { name: '+1 generation', exact: true }).click();
  await comesTo(page, 11);
  await page.locator('#microscope').getByText('Choose an individual').waitFor();
  const stopped = asked.length;
  await page.waitForTimeout(700);
  assert.equal(asked.length, stopped);
  assert.ok(asked.every(one => one.generation === 10));
  await canvas.click({ position: { x: 5, y: 5 } });
  await page.locator('#microscope').getByText('The run is replayed').waitFor();
  isLate = false;
  await page.locator('#microscope', { hasText: 'Individual 1 of island 0, generation 11' }).waitFor();
  await close(page);
});

check('an individual that is clicked while the run plays is the one of that moment', async () => {
  const page = await paused(await serve());
  await page.getByLabel('Generations a second').selectOption('25');
  await page.locator('#transport').getByRole('button', { name: 'Play', exact: true }).click();
  await says(page, /playing/);
  const body = page.waitForRequest('**/api/v1/births');
  await page.locator('.population-picture canvas').click({ position: { x: 5, y: 5 } });
  const { generation: wanted } = (await body).postDataJSON();
  await page.locator('#microscope', { hasText: `Individual 1 of island 0, generation ${wanted}` }).waitFor();
  await says(page, /paused/);
  await close(page);
});

/** Has a page think that it is seen, or not. @param {Opened} page @param {boolean} isHidden */
const hide = (page, isHidden) => page.evaluate(value => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
  document.dispatchEvent(new Event('visibilitychange'));
}, isHidden);

check('a page that is not seen holds no stream, and goes on when it is seen again', async () => {
  const page = await paused(await serve(), { expects: /status of 404/ });
  const streams = () => page.evaluate(async () => (await (await fetch('/api/v1/health')).json()).streams);
  await page.locator('#transport').getByRole('button', { name: '+10 generations' }).click();
  await comesTo(page, 10);
  assert.equal(await streams(), 1);
  await hide(page, true);
  while (await streams()) await page.waitForTimeout(50);
  await hide(page, false);
  await page.locator('#transport').getByRole('button', { name: '+1 generation', exact: true }).click();
  await comesTo(page, 11);
  const [order] = await Promise.all([page.waitForRequest('**/api/v1/order'), page.locator('#transport').getByRole('button', { name: '−1 generation', exact: true }).click()]);
  await comesTo(page, 10);
  await hide(page, true);
  // As the server does after a minute.
  await page.evaluate(async play => {
    await fetch('/api/v1/order', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ play, order: 'close' }) });
  }, order.postDataJSON().play);
  const begun = page.waitForResponse('**/api/v1/play');
  await hide(page, false);
  await begun;
  await comesTo(page, 10);
  await page.locator('#transport').getByRole('button', { name: '+1 generation', exact: true }).click();
  await comesTo(page, 11);
  await close(page);
});

check('the slider follows the run after it was touched', async () => {
  const page = await paused(await serve());
  const slider = page.getByLabel('Generation', { exact: true });
  await slider.focus();
  await page.keyboard.press('Home');
  await page.locator('#transport').getByRole('button', { name: '+10 generations' }).dispatchEvent('click');
  await comesTo(page, 10);
  assert.equal(await slider.inputValue(), '10');
  await close(page);
});

check('what cannot be played is said', async () => {
  const page = await open(await serve(), '/theatre', { expects: /422|404/ });
  await page.locator('#what option').first().waitFor({ state: 'attached' });
  await page.getByText('Change the configuration').click();
  await page.getByLabel('Configuration (TOML)').fill('budget.evaluations = 10\nalgorithm.name = "genetics"');
  await page.locator('#choose').getByRole('button', { name: 'Play' }).click();
  await page.getByRole('alert').filter({ hasText: 'genetics' }).waitFor();
  await sound(page, 'theatre-wrong');
  await page.goto(new URL('/theatre?folder=nowhere', page.url()).href);
  await page.getByRole('alert').filter({ hasText: 'There is no nowhere in the folder' }).waitFor();
  await sound(page, 'theatre-nowhere');
  await close(page);
});

check('every example can be played', async () => {
  const page = await open(await serve(), '/theatre');
  await page.locator('#what option').first().waitFor({ state: 'attached' });
  const names = await page.locator('#what option').evaluateAll(options => options.map(option => /** @type {HTMLOptionElement} */ (option).value));
  assert.ok(names.length >= 5);
  for (const name of names) {
    await page.getByLabel('Example').selectOption(name);
    await page.locator('#choose').getByRole('button', { name: 'Play' }).click();
    await says(page, /generation/);
    await page.waitForFunction(() => [16, 36].includes(document.querySelectorAll('#grid .best-digit').length));
    assert.ok(await page.locator('#best-title').innerText() !== 'Best', name);
    await page.locator('#choice:not([open])').waitFor();
    await page.locator('#choice > summary').click();
  }
  await close(page);
});

check('the theatre begins with a choice, and a run and its setting are chosen from lists', async () => {
  const server = await serve(['.']);
  writeFileSync(join(server.folder, 'puzzle.txt'), '4:b_a4_a_6aa,m8s1a6s1m4a3d2\n');
  writeFileSync(join(server.folder, 'sweep.toml'), `puzzles = ["puzzle.txt"]\nreplicates = 3\nbudget.evaluations = 600\nsweep."algorithm.population" = [10, 20]\n`);
  execFileSync(PROGRAM, ['run', '--config', 'sweep.toml', '--quiet', '--out', 'sweep'], { cwd: server.folder });
  const page = await open(server, '/theatre');
  const what = page.getByLabel('Example or results folder');
  await what.locator('option').first().waitFor({ state: 'attached' });
  assert.ok(await page.getByLabel('Configuration (TOML)').isHidden());
  await what.selectOption('folder:sweep');
  const runs = page.locator('#run option');
  await page.waitForFunction(() => document.querySelectorAll('#run option').length === 6);
  await page.getByLabel('Setting').selectOption({ index: 2 });
  assert.equal(await runs.count(), 3);
  assert.match(await runs.nth(1).innerText(), /^run 3: .*replicate 1, (solved|fitness \d+)/);
  await page.locator('#run').selectOption('3');
  await sound(page, 'theatre-lists');
  await page.locator('#choose').getByRole('button', { name: 'Play' }).click();
  await says(page, /20.*replicate 1/);
  await page.getByLabel('Run', { exact: true }).last().selectOption('0');
  await says(page, /10.*generation/);
  await page.getByText('Choose another run').waitFor();
  await close(page);
});

check('no mark in the grid covers a clue, and rows are named as beside it', async () => {
  const page = await paused(await serve());
  await page.locator('#grid .wrong-cell').first().waitFor();
  await page.locator('#grid .broken-name').first().waitFor();
  const covered = await page.evaluate(() => {
    const boxes = (/** @type {string} */ what) => [...document.querySelectorAll(`#grid ${what}`)].map(one => one.getBoundingClientRect());
    const meet = (/** @type {DOMRect} */ one, /** @type {DOMRect} */ other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
    const marks = [...boxes('.wrong-cell'), ...boxes('.broken-line')];
    return boxes('.value, .best-digit').filter(text => marks.some(mark => meet(text, mark))).length;
  });
  assert.equal(covered, 0);
  assert.match(await page.locator('#best-words').innerText(), /^Violations: .*\d+ in (rows|columns|cages)/);
  await page.getByRole('gridcell').first().focus();
  assert.doesNotMatch(await page.locator('#cell-words').innerText(), /row \d|\d[*\/]/);
  await close(page);
});

check('a run of a folder is replayed, and compared with what it records', async () => {
  const server = await serve(['.']);
  mkdirSync(server.folder, { recursive: true });
  writeFileSync(join(server.folder, 'puzzle.txt'), '4:b_a4_a_6aa,m8s1a6s1m4a3d2\n');
  const page = await open(server, '/theatre');
  const config = SHORT.replace('6000', '2000');
  const started = await page.evaluate(async body => {
    const response = await fetch('/api/v1/start', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return response.ok;
  }, JSON.stringify({ config, puzzles: ['4:b_a4_a_6aa,m8s1a6s1m4a3d2'], folder: 'made' }));
  assert.ok(started);
  await page.waitForTimeout(1500);
  await page.goto(server.at('/theatre?folder=made&run=1'));
  await says(page, /replicate 1/);
  await page.getByRole('button', { name: 'To the end' }).click();
  await says(page, /as recorded/);
  assert.doesNotMatch(await now(page), /not as recorded/);
  await close(page);
});

check('two tabs play each their own', async () => {
  const server = await serve();
  const one = await paused(server);
  const two = await open(server, '/theatre', { context: one.context() });
  await two.locator('#what option').first().waitFor({ state: 'attached' });
  await two.getByText('Change the configuration').click();
  await two.getByLabel('Configuration (TOML)').fill(SHORT.replace('seed = 3', 'seed = 4'));
  await two.locator('#choose').getByRole('button', { name: 'Play' }).click();
  await says(two, /generation/);
  await two.getByRole('button', { name: 'To the end' }).click();
  await says(two, /stopped/);
  assert.equal(await generation(one), 0);
  await close(two);
  await close(one);
});

check('a server that was killed and is back is asked to play again', async () => {
  const server = await serve();
  const page = await played(server, { expects: /net::ERR|404|401|Failed to load/ }, SHORT.replace('6000', '6_000_000'));
  await server.kill();
  await page.getByText('The server does not answer. This page goes on').waitFor();
  await server.start();
  await page.getByRole('alert').filter({ hasText: /no longer played|token/ }).first().waitFor({ timeout: 30_000 });
  await page.goto(server.url);
  await page.goto(server.at('/theatre'));
  await page.locator('#what option').first().waitFor({ state: 'attached' });
  await page.locator('#choose').getByRole('button', { name: 'Play' }).click();
  await says(page, /generation/);
  await close(page);
});
