// The page Lab: folders, new experiments, comparisons.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOOKS, PROGRAM, check, close, open, serve, sound } from './harness.js';

const FOUR = '1 1 1 2\n3 4 4 2\n3 3 5 5\n6 7 7 5\n8 *\n1 -\n6 +\n1 -\n4 *\n3 +\n2 /\n';
const SWEEP = `puzzles = ["4x4.txt", "two.txt"]
seed = 5
replicates = 6
[budget]
evaluations = 600
[algorithm]
population = 10
[sweep]
"algorithm.mutation.rate" = [0.02, 0.2]
"algorithm.crossover.rate" = [0.5, 0.9]
`;
const LONG = 'replicates = 100_000\n[budget]\nevaluations = 20_000\n[record]\nevery = 0\n';
const DECIDED = ['runs.csv', 'convergence.csv', 'puzzles.csv', 'manifest.json', 'puzzles.jsonl', 'checksums.txt'];

/** A server for a folder with puzzles, and with results if they are asked for. @param {{results?: boolean}} [options] */
async function lab({ results = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'kenga-'));
  writeFileSync(join(folder, '4x4.txt'), FOUR);
  writeFileSync(join(folder, 'two.txt'), '2\n3+ A1 A2\n3+ B1 B2\n');
  writeFileSync(join(folder, 'sweep.toml'), SWEEP);
  if (results) {
    const run = (/** @type {string[]} */ ...args) => execFileSync(PROGRAM, ['run', '--config', 'sweep.toml', '--quiet', ...args], { cwd: folder });
    run('--out', 'sweep');
    run('--out', 'other', '--set', 'seed=9');
  }
  return serve(['.'], { folder });
}

/** @param {import('playwright-core').Page} page @param {string} name */
function card(page, name) {
  return page.locator('#folders > li').filter({ has: page.getByRole('checkbox', { name, exact: true }) });
}

/** Waits until a folder is in a state. @param {import('playwright-core').Page} page @param {string} name @param {string} wanted */
async function state(page, name, wanted) {
  await card(page, name).locator('.badge').filter({ hasText: wanted }).waitFor({ timeout: 60_000 });
}

/** Writes a configuration by hand. @param {import('playwright-core').Page} page @param {string} config @param {string} [puzzle] */
async function write(page, config, puzzle = FOUR) {
  await page.getByLabel('Puzzles, in any format').fill(puzzle);
  await page.getByLabel('Configuration (TOML)').fill(config);
  await page.getByRole('button', { name: 'Start', exact: true }).and(page.locator(':enabled')).waitFor();
}

for (const look of LOOKS) {
  check(`the lab is sound at ${look.width} pixels, ${look.scheme}`, async () => {
    const page = await open(await lab({ results: true }), '/lab', look);
    await page.locator('#plan b').waitFor();
    const name = `lab-${look.width}-${look.scheme}`;
    await sound(page, name);
    await page.getByRole('button', { name: 'Details sweep' }).click();
    await page.getByRole('link', { name: 'Watch run 3', exact: true }).waitFor();
    await page.locator('#fields details').evaluateAll(all => all.forEach(one => one.setAttribute('open', '')));
    await sound(page, `${name}-open`);
    await close(page);
  });
}

check('an experiment is made in the form, started and followed, with the bytes of the command line', async () => {
  const server = await lab();
  const page = await open(server, '/lab');
  await page.locator('#plan b').waitFor();
  await page.getByLabel('Puzzles, in any format').fill(FOUR);
  await page.getByLabel('replicates', { exact: true }).fill('4');
  await page.getByLabel('evaluations', { exact: true }).fill('2_000');
  await page.getByLabel('algorithm', { exact: true }).selectOption('tabu');
  await page.getByLabel('moves', { exact: true }).fill('2_000');
  await page.getByLabel('evaluations', { exact: true }).fill('');
  await page.getByLabel('tenure', { exact: true }).fill('2, 5, 9');
  await page.getByLabel('Folder').fill('july/first');
  await page.locator('#plan').getByText('12 runs').waitFor();
  const config = await page.getByLabel('Configuration (TOML)').inputValue();
  assert.match(config, /"algorithm.tenure" = \[2, 5, 9\]/);
  assert.match(config, /\[algorithm\]\nname = "tabu"/);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await state(page, 'july/first', 'finished');
  await page.getByText('12 of 12 runs').waitFor();
  assert.equal(await card(page, 'july/first').getByRole('link', { name: 'Watch' }).getAttribute('href'), '/theatre?folder=july%2Ffirst&run=0');
  writeFileSync(join(server.folder, 'own.toml'), config);
  writeFileSync(join(server.folder, 'puzzle'), FOUR);
  execFileSync(PROGRAM, ['run', '--config', 'own.toml', '--puzzle', 'puzzle', '--quiet', '--out', 'own'], { cwd: server.folder });
  for (const name of [...DECIDED, 'settings.jsonl']) {
    assert.deepEqual(readFileSync(join(server.folder, 'july/first', name)), readFileSync(join(server.folder, 'own', name)), name);
  }
  await close(page);
});

check('Start is in view on a phone from top to bottom, and leads to what it has started', async () => {
  const page = await open(await lab({ results: true }), '/lab', { width: 400, height: 800 });
  await page.locator('#plan b').waitFor();
  const start = page.getByRole('button', { name: 'Start', exact: true });
  for (const share of [0, 0.5, 1]) {
    await page.evaluate(part => scrollTo(0, part * document.documentElement.scrollHeight), share);
    const box = await start.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 800, `${share}: ${box?.y}`);
  }
  await start.click();
  await page.getByText('experiment has been started.').waitFor();
  await sound(page, 'lab-started');
  await page.getByRole('link', { name: 'Follow it' }).click();
  const box = await card(page, 'experiment').boundingBox();
  assert.ok(box && box.y >= 0 && box.y < 400, String(box?.y));
  await state(page, 'experiment', 'finished');
  await close(page);
});

check('a folder that is damaged, or none, is said in a sentence', async () => {
  const server = await lab({ results: true });
  writeFileSync(join(server.folder, 'other/manifest.json'), 'x');
  const page = await open(server, '/lab', { width: 400, height: 800 });
  await card(page, 'other').getByText('other/manifest.json: not a manifest.').waitFor();
  await state(page, 'other', 'unreadable');
  await sound(page, 'lab-damaged');
  await close(page);
  const empty = await open(await serve(), '/lab');
  await empty.getByText('There are no results folders yet.').waitFor();
  await sound(empty, 'lab-empty');
  await close(empty);
});

check('a server that only reads starts, stops and resumes nothing, and the page says so', async () => {
  const { folder } = await lab({ results: true });
  const page = await open(await serve(['.', '--read-only'], { folder }), '/lab', { expects: /403/ });
  await page.getByText('it starts, stops and resumes no experiments').waitFor();
  await page.locator('#plan b').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled());
  await page.getByRole('button', { name: 'Details sweep' }).click();
  await page.getByRole('link', { name: 'Watch run 3', exact: true }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Make more replicates' }).isDisabled());
  assert.ok(await page.getByRole('button', { name: 'Stop sweep', includeHidden: true }).isDisabled());
  assert.ok(await page.getByRole('button', { name: 'Resume sweep', includeHidden: true }).isDisabled());
  await close(page);
});

check('the form follows the tables, and the text may be written by hand', async () => {
  const page = await open(await lab(), '/lab', { expects: /422/ });
  const text = page.getByLabel('Configuration (TOML)');
  await page.locator('#plan b').waitFor();
  await page.getByLabel('encoding', { exact: true }).selectOption('rows');
  assert.ok(await page.locator('[id="field-algorithm.crossover"] option', { hasText: 'single_point (not for rows)' }).evaluate(one => /** @type {HTMLOptionElement} */ (one).disabled));
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'field-algorithm.encoding');
  assert.match(await text.inputValue(), /\[algorithm.encoding\]\nname = "rows"/);
  await page.locator('#plan b').waitFor();
  await text.fill('budget.evaluations = 9\nsede = 3\n');
  await page.locator('#plan').getByText('Unknown key sede').waitFor();
  await page.locator('#plan').getByText('Line 2 of the configuration, column 1.').waitFor();
  await sound(page, 'lab-wrong');
  assert.equal(await text.getAttribute('aria-invalid'), 'true');
  await page.reload();
  await page.locator('#plan').getByText('Unknown key sede').waitFor();
  await page.getByRole('button', { name: 'Follow the form again' }).click();
  await page.locator('#plan b').waitFor();
  assert.match(await text.inputValue(), /name = "rows"/);
  await page.getByLabel('Begin with').selectOption('ga');
  await page.locator('#plan').getByText('replicate').waitFor();
  assert.match(await text.inputValue(), /islands/);
  await page.getByLabel('Begin with').selectOption('');
  assert.doesNotMatch(await text.inputValue(), /islands/);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download TOML' }).click();
  assert.equal((await saved).suggestedFilename(), 'experiment.toml');
  await close(page);
});

check('puzzles come from a file or are made to order', async () => {
  const page = await open(await lab(), '/lab', { expects: /422/ });
  const text = page.getByLabel('Configuration (TOML)');
  await page.locator('#plan b').waitFor();
  await page.getByRole('radio', { name: 'a file here' }).check();
  await page.locator('#plan').getByText('There is no puzzle to run').waitFor();
  await page.getByLabel('File', { exact: true }).selectOption('two.txt');
  await page.locator('#plan b').waitFor();
  assert.match(await text.inputValue(), /puzzles = \["two.txt"\]/);
  await page.getByRole('radio', { name: 'made to order' }).check();
  await page.getByLabel('Kind').selectOption('futoshiki');
  await page.getByLabel('Size').fill('4');
  await page.getByLabel('How many').fill('2');
  await page.getByRole('button', { name: 'Generate' }).click();
  await page.getByLabel('Puzzles, in any format').waitFor();
  await page.locator('#plan').getByText('2 puzzles').waitFor();
  assert.doesNotMatch(await text.inputValue(), /two.txt/);
  await close(page);
});

check('experiments are stopped and resumed by keys, and two tabs show the same', async () => {
  const server = await lab();
  const page = await open(server, '/lab');
  await page.locator('#plan b').waitFor();
  await write(page, LONG);
  await page.getByLabel('Folder').fill('long');
  await page.getByRole('button', { name: 'Start', exact: true }).focus();
  await page.keyboard.press('Enter');
  await state(page, 'long', 'running');
  const other = await open(server, '/lab', { context: page.context() });
  await state(other, 'long', 'running');
  await card(other, 'long').getByText('calls a second').waitFor();
  await page.getByLabel('Folder').fill('behind');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await state(page, 'behind', 'waiting, 1 before it');
  await page.getByRole('button', { name: 'Stop behind' }).click();
  await state(page, 'behind', 'interrupted');
  await page.getByRole('button', { name: 'Stop long' }).focus();
  await page.keyboard.press(' ');
  await state(page, 'long', 'interrupted');
  await state(other, 'long', 'interrupted');
  assert.match(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''), /long$/);
  await page.getByRole('button', { name: 'Resume long' }).focus();
  await page.keyboard.press('Enter');
  await state(other, 'long', 'running');
  await close(other);
  await page.getByLabel('Filter by name').fill('long run');
  assert.ok(await card(page, 'behind').isHidden());
  assert.ok(await card(page, 'long').isVisible());
  await close(page);
});

check('a folder shows its runs, becomes a start, and takes more replicates', async () => {
  const server = await lab({ results: true });
  const page = await open(server, '/lab', { width: 400, height: 800 });
  await page.locator('#plan b').waitFor();
  await page.getByRole('button', { name: 'Details sweep' }).click();
  await page.getByText('Runs 0 to 47 of 48').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Later' }).isDisabled());
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  assert.equal(readFileSync(await (await saved).path(), 'utf8'), readFileSync(join(server.folder, 'sweep/runs.csv'), 'utf8'));
  await page.getByLabel('Replicates in all').fill('8');
  await page.getByRole('button', { name: 'Make more replicates' }).click();
  await page.getByText('64 of 64 runs').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Details sweep' }).click();
  await page.getByRole('button', { name: 'Details sweep' }).click();
  await page.getByRole('button', { name: 'Later' }).click();
  await page.getByText('Runs 50 to 63 of 64').waitFor();
  await page.getByRole('button', { name: 'Earlier' }).click();
  await page.getByText('Runs 0 to 49 of 64').waitFor();
  await page.getByRole('button', { name: 'Use as a start' }).click();
  await page.locator('#plan').getByText('64 runs').waitFor();
  assert.match(await page.getByLabel('Configuration (TOML)').inputValue(), /puzzles = \["sweep\/puzzles.jsonl"\]/);
  await close(page);
});

check('a server that is killed and comes back loses nothing', async () => {
  const server = await lab();
  const page = await open(server, '/lab', { expects: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY|ERR_CONNECTION_RESET|401/ });
  await page.locator('#plan b').waitFor();
  await write(page, LONG);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await card(page, 'experiment').getByText('calls a second').waitFor({ timeout: 60_000 });
  await page.getByLabel('Configuration (TOML)').fill('# mine\nbudget.evaluations = 77\n');
  await server.kill();
  await page.getByText('The server does not answer').waitFor({ timeout: 30_000 });
  await server.start();
  // The token is new: its address is opened once more, in any tab.
  const other = await open(server, '/lab', { context: page.context() });
  await other.goto(server.url);
  await other.close();
  await state(page, 'experiment', 'interrupted');
  assert.equal(await page.getByText('The server does not answer').count(), 0);
  assert.match(await page.getByLabel('Configuration (TOML)').inputValue(), /# mine/);
  await page.getByRole('button', { name: 'Resume experiment' }).click();
  await state(page, 'experiment', 'running');
  await page.getByRole('button', { name: 'Stop experiment' }).click();
  await state(page, 'experiment', 'interrupted');
  assert.ok(existsSync(join(server.folder, 'experiment/runs.csv')));
  await close(page);
});

check('the card of a problem says its best value, the highest where that is best', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kenga-'));
  writeFileSync(join(folder, 'ones.py'), `import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "evaluate" in message:
        print(json.dumps({"fitness": [sum(genome) / 10 for genome in message["evaluate"]]}), flush=True)
`);
  for (const [name, goal] of [['highest', 'maximise = true\nbound = 1.3'], ['lowest', 'maximise = false']]) {
    const problem = `[problem]\ncommand = ["python3", "ones.py"]\ngenes = 12\nvalues = [0, 1]\nresolution = 0.1\n${goal}\n`;
    writeFileSync(join(folder, `${name}.toml`), `replicates = 2\nbudget.evaluations = 2000\n${problem}`);
    execFileSync(PROGRAM, ['run', `${name}.toml`, '--out', name, '--quiet'], { cwd: folder });
  }
  const page = await open(await serve(['.'], { folder }), '/lab');
  await card(page, 'highest').getByText('highest value 1.2', { exact: false }).waitFor();
  await card(page, 'lowest').getByText('lowest value 0', { exact: false }).waitFor();
  assert.equal(await page.getByText('lowest fitness').count(), 0);
});
