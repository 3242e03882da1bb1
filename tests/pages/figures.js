// Makes the pictures of docs/figures that show pages: node figures.js
//
// A run of configs/ga.toml on the 6x6 of the README in the Theatre, light and dark. KENGA and KENGA_BROWSER as in harness.js.

import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const PROGRAM = resolve(process.env.KENGA ?? join(import.meta.dirname, '../../target/debug/kenga'));
const BROWSER = process.env.KENGA_BROWSER ?? '/usr/bin/chromium';
const FIGURES = join(import.meta.dirname, '../../docs/figures');

/** The generation that is shown: just after migrants have arrived. */
const GENERATION = 206;

const child = spawn(PROGRAM, ['serve', '--port', '0'], { cwd: mkdtempSync(join(tmpdir(), 'kenga-')), stdio: ['ignore', 'pipe', 'inherit'] });
const url = /** @type {string} */ (await new Promise(done => createInterface({ input: child.stdout }).once('line', done)));
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] });
for (const colorScheme of /** @type {('light' | 'dark')[]} */ (['light', 'dark'])) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1200 }, colorScheme, reducedMotion: 'reduce' });
  // The run is played twice from its start.
  page.setDefaultTimeout(120_000);
  await page.goto(url);
  await page.goto(new URL('/theatre?example=ga', url).href);
  await page.locator('#what option').first().waitFor({ state: 'attached' });
  await page.locator('#choose').getByRole('button', { name: 'Play' }).click();
  await page.locator('#now', { hasText: 'generation' }).waitFor();
  const operators = page.getByRole('button', { name: 'Count operators' });
  await operators.click();
  await page.locator('#operators table').waitFor();
  await page.getByLabel('Generation', { exact: true }).evaluate((slider, to) => {
    const input = /** @type {HTMLInputElement} */ (slider);
    [input.max, input.value] = [String(to), String(to)];
    input.dispatchEvent(new Event('input'));
  }, GENERATION);
  await page.locator('#now', { hasText: `generation ${GENERATION}` }).waitFor();
  await page.locator('.population-picture canvas').click({ position: { x: 80, y: 40 } });
  await page.locator('#microscope .genome').first().waitFor();
  await page.locator('h1').click();
  await page.locator('#stage').screenshot({ path: join(FIGURES, `theatre-${colorScheme}.png`) });
  await page.close();
}
await browser.close();
child.kill();
