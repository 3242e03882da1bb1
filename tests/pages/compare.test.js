// The page Compare: folders are chosen, and what is said of them is what the command line says.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
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

/** A server for a folder with two results folders. */
async function lab() {
  const folder = mkdtempSync(join(tmpdir(), 'kenga-'));
  writeFileSync(join(folder, '4x4.txt'), FOUR);
  writeFileSync(join(folder, 'two.txt'), '2\n3+ A1 A2\n3+ B1 B2\n');
  writeFileSync(join(folder, 'sweep.toml'), SWEEP);
  const run = (/** @type {string[]} */ ...args) => execFileSync(PROGRAM, ['run', '--config', 'sweep.toml', '--quiet', ...args], { cwd: folder });
  run('--out', 'sweep');
  run('--out', 'other', '--set', 'seed=9');
  return serve(['.'], { folder });
}

for (const look of LOOKS) {
  check(`a comparison is sound at ${look.width} pixels, ${look.scheme}`, async () => {
    const page = await open(await lab(), '/compare', look);
    await page.getByRole('checkbox', { name: /^sweep/ }).check();
    await sound(page, `compare-choice-${look.width}-${look.scheme}`);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('heading', { name: 'Differences' }).waitFor({ timeout: 60_000 });
    await page.locator('#asking:empty').waitFor({ state: 'attached' });
    await sound(page, `compare-${look.width}-${look.scheme}`);
    await close(page);
  });
}

check('where there is nothing to compare the page says what to do', async () => {
  const page = await open(await serve(), '/compare', { expects: /404/ });
  await page.getByText('There are no results folders with runs yet.').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Start an experiment' }).getAttribute('href'), '/lab#new');
  await sound(page, 'compare-empty');
  await page.goto(new URL('/compare?folder=nowhere', page.url()).href);
  await page.getByRole('alert').filter({ hasText: 'nowhere' }).waitFor();
  await close(page);
});

check('folders are compared with the words of the command line', async () => {
  const server = await lab();
  const page = await open(server, '/lab');
  await page.getByRole('checkbox', { name: 'sweep', exact: true }).check();
  await page.getByRole('link', { name: 'Compare its settings' }).click();
  await page.waitForURL('**/compare?folder=sweep');
  const differences = page.locator('#answer');
  await differences.getByRole('heading', { name: 'Differences' }).waitFor({ timeout: 60_000 });
  const json = JSON.parse(execFileSync(PROGRAM, ['compare', 'sweep', '--json'], { cwd: server.folder, encoding: 'utf8' }));
  await differences.getByText(json.headline).first().waitFor();
  await page.getByLabel('Compare', { exact: true }).selectOption('best_fitness');
  await differences.getByText('median').first().waitFor();
  await page.getByRole('checkbox', { name: 'algorithm.mutation.rate' }).check();
  await page.getByText('Keep only some settings').click();
  await page.getByRole('group', { name: 'algorithm.crossover.rate' }).getByRole('checkbox', { name: '0.9' }).uncheck();
  await page.locator('#asking:empty').waitFor({ state: 'attached' });
  await page.waitForFunction(() => /** @type {HTMLSelectElement} */ (document.querySelector('#baseline')).options.length === 3);
  await page.getByLabel('with', { exact: true }).selectOption({ index: 1 });
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  assert.equal(JSON.parse(readFileSync(await (await saved).path(), 'utf8')).metric, 'best_fitness');
  await differences.getByRole('link', { name: 'How to reproduce it' }).click();
  assert.ok(await page.evaluate(() => scrollY > 400));
  await page.getByText('Compared: sweep').click();
  await page.getByRole('checkbox', { name: /^other/ }).check();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.waitForURL('**/compare?folder=other&folder=sweep');
  await page.getByText('Compared: other, sweep').waitFor();
  await page.goBack();
  await page.getByText('Compared: sweep', { exact: true }).waitFor();
  await close(page);
});
