// The report: one file, by mouse, by keys and by touch, and without its script.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { LOOKS, PROGRAM, check, close, openFile, sound } from './harness.js';

const CONFIG = join(import.meta.dirname, '../../configs/sweep-smoke.toml');
const folder = mkdtempSync(join(tmpdir(), 'kenga-report-'));
const FILE = join(folder, 'report.html');

/** @param {string[]} args */
function kenga(...args) {
  const ended = spawnSync(PROGRAM, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(ended.status, 0, ended.stderr);
}

before(() => {
  kenga('run', '--config', CONFIG, '--out', 'results', '--quiet', '--runs', '6', '--set', 'budget.evaluations=20_000');
  kenga('report', 'results', '-o', FILE);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** The chart of convergence that is seen. @param {import('playwright-core').Page} page */
function convergence(page) {
  const panel = page.locator('#figure-convergence');
  return {
    panel, figure: panel.locator('svg.figure:visible'), chart: panel.locator('svg.figure:visible .chart'), tools: panel.locator('.tools:visible'),
    ticks: () => panel.locator('svg.figure:visible .axes .tick').allTextContents(),
    button: (/** @type {string} */ name) => panel.locator('.tools:visible').getByRole('button', { name }),
    curve: () => panel.locator('svg.figure:visible .curve path.series').first().getAttribute('d').then(words =>
      [...(words ?? '').matchAll(/-?[\d.]+/g)].map(Number)),
  };
}

/** Two lines of pixels are the same, but for rounding. @param {number[]} one @param {number[]} other */
function same(one, other) {
  assert.equal(one.length, other.length);
  one.forEach((value, index) => assert.ok(Math.abs(value - other[index]) < 0.11, `${value} is not ${other[index]}`));
}

/** The corners of what is seen of an element. @param {import('playwright-core').Locator} locator */
async function box(locator) {
  await locator.scrollIntoViewIfNeeded();
  const found = await locator.boundingBox();
  assert.ok(found);
  return found;
}

for (const look of LOOKS) {
  check(`the report is sound at ${look.width} pixels, ${look.scheme}`, async () => {
    const page = await openFile(FILE, look);
    await sound(page, `report-${look.width}-${look.scheme}`);
    const { button, panel } = convergence(page);
    await button('y logarithmic').click();
    await page.locator('.filters summary').first().click();
    await sound(page);
    await button('Zoom in').click();
    if (process.env.KENGA_PICTURES) {
      await panel.screenshot({ path: join(process.env.KENGA_PICTURES, `zoomed-${look.width}-${look.scheme}.png`) });
      await page.locator('#settings').screenshot({ path: join(process.env.KENGA_PICTURES, `filters-${look.width}-${look.scheme}.png`) });
    }
    await close(page);
  });
}

check('a report with hostile names is sound on a phone, and shows them as they are', async () => {
  const puzzle = JSON.parse(spawnSync(PROGRAM, ['convert', join(import.meta.dirname, '../../puzzles/original/4x4.txt'), '--to', 'json'], { encoding: 'utf8' }).stdout);
  const ids = ['<script>alert(1)</script>', 'W'.repeat(60), '\u05e9\u05dc\u05d5\u05dd'];
  writeFileSync(join(folder, 'hostile.jsonl'), ids.map(id => `${JSON.stringify({ ...puzzle, id })}\n`).join(''));
  kenga('run', '--config', CONFIG, '--puzzle', 'hostile.jsonl', '--out', 'hostile', '--quiet', '--runs', '2', '--set', 'budget.evaluations=2_000');
  kenga('report', 'hostile', '-o', join(folder, 'hostile.html'), '--title', `</title><b>${'T'.repeat(300)}`);
  const page = await openFile(join(folder, 'hostile.html'), LOOKS[0]);
  await sound(page, 'report-hostile');
  for (const id of ids) assert.ok(await page.locator('summary b').getByText(id, { exact: true }).count() > 0, id);
  await close(page);
});

check('without scripts the report is complete', async () => {
  const page = await openFile(FILE, { runsScripts: false });
  assert.equal(await page.locator('button').count(), 0);
  assert.equal(await page.locator('#settings tbody tr').count(), 8);
  assert.ok(await page.locator('svg.figure').count() > 5);
  for (const words of await page.locator('svg.figure:visible').allTextContents()) assert.ok(words.trim().length > 10);
  await page.close();
});

check('headings sort, by mouse and by keys', async () => {
  const page = await openFile(FILE);
  const heading = page.locator('#settings').getByRole('button', { name: 'population' }).first();
  const column = () => page.locator('#settings tbody tr td:nth-child(3)').allTextContents();
  await heading.click();
  const rising = await column();
  assert.deepEqual(rising, [...rising].sort((a, b) => Number(a) - Number(b)));
  await heading.focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await column(), [...rising].sort((a, b) => Number(b) - Number(a)));
  assert.equal(await page.locator('#settings th[aria-sort=descending]').count(), 1);
  await close(page);
});

check('filters hide rows and the curves of the same settings, and come back', async () => {
  const page = await openFile(FILE);
  const rows = page.locator('#settings tbody tr:visible');
  const curves = page.locator('#figure-convergence svg:visible .curve:visible');
  const [allRows, allCurves] = [await rows.count(), await curves.count()];
  await page.locator('.filters summary', { hasText: 'population' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.filters').getByLabel('80').focus();
  await page.keyboard.press('Space');
  assert.equal(await rows.count(), allRows / 2);
  assert.ok(await curves.count() < allCurves);
  assert.match(await page.locator('.filters output').innerText(), /4 of 8 settings/);
  await page.getByRole('button', { name: 'Show all settings' }).click();
  assert.deepEqual([await rows.count(), await curves.count()], [allRows, allCurves]);
  await close(page);
});

check('a table is downloaded as it is shown', async () => {
  const page = await openFile(FILE);
  await page.locator('.filters summary', { hasText: 'population' }).click();
  await page.locator('.filters').getByLabel('80').uncheck();
  const waits = page.waitForEvent('download');
  await page.locator('#settings').getByRole('button', { name: /^Download/ }).first().click();
  const text = readFileSync(await (await waits).path(), 'utf8');
  const lines = text.trimEnd().split('\r\n');
  assert.equal(lines.length, 5, text);
  assert.match(lines[0], /population/);
  assert.match(lines[0], /"share, %","share, % low","share, % high",median calls/);
  const width = (/** @type {string} */ line) => line.replaceAll(/"[^"]*"/g, 'x').split(',').length;
  assert.ok(lines.every(line => width(line) === width(lines[0])), text);
  assert.ok(!/\d [kM]/.test(text), text);
  await close(page);
});

check('legends hide curves, by mouse and by keys', async () => {
  const page = await openFile(FILE);
  const { figure } = convergence(page);
  const curves = figure.locator('.curve:visible');
  const count = await curves.count();
  const entry = figure.locator('.entry').first();
  await entry.click();
  assert.ok(await curves.count() < count);
  assert.equal(await entry.getAttribute('aria-pressed'), 'false');
  await entry.focus();
  await page.keyboard.press('Space');
  assert.equal(await curves.count(), count);
  await close(page);
});

check('a pointer names the settings with their values and intervals', async () => {
  const page = await openFile(FILE);
  const { chart } = convergence(page);
  const at = await box(chart);
  await page.mouse.move(at.x + at.width * 0.3, at.y + at.height * 0.7);
  const words = await page.locator('.values').innerText();
  assert.match(words, /^calls /);
  assert.match(words, /: [\d.]+ \([\d.]+ to [\d.]+\)/);
  assert.equal(await page.locator('.values .nearest').count(), 1);
  await page.mouse.move(at.x - 20, at.y);
  assert.ok(await page.locator('.values').isHidden());
  await close(page);
});

check('a range is brushed by the mouse, and everything comes back', async () => {
  const page = await openFile(FILE);
  const { chart, ticks, curve, button } = convergence(page);
  const [before_, first] = [await curve(), await ticks()];
  const at = await box(chart);
  await page.mouse.move(at.x + at.width * 0.5, at.y + 50);
  await page.mouse.down();
  await page.mouse.move(at.x + at.width * 0.7, at.y + 60, { steps: 5 });
  assert.match(await page.locator('.values .place').innerText(), / to /);
  await page.mouse.up();
  assert.notDeepEqual(await ticks(), first);
  const zoomed = await curve();
  const ends = [zoomed[0], zoomed[zoomed.length - 2]];
  assert.ok(ends[1] - ends[0] > 2 * (before_[before_.length - 2] - before_[0]), `${ends}`);
  await button('Show all').click();
  same(await curve(), before_);
  assert.ok(await button('Show all').isDisabled());
  await close(page);
});

check('a range is marked by keys', async () => {
  const page = await openFile(FILE);
  const { chart, ticks, curve } = convergence(page);
  const [before_, first] = [await curve(), await ticks()];
  await chart.focus();
  for (let step = 0; step < 10; step++) await page.keyboard.press('ArrowRight');
  assert.match(await chart.getAttribute('aria-valuetext') ?? '', /^calls [\d\u202f.]+; /);
  for (let step = 0; step < 10; step++) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  assert.notDeepEqual(await ticks(), first);
  await page.keyboard.press('-');
  await page.keyboard.press('+');
  await page.keyboard.press('0');
  same(await curve(), before_);
  await close(page);
});

check('a range is brushed by touch on the screen of a telephone', async () => {
  const page = await openFile(FILE, { width: 400, height: 800, touches: true });
  const { chart, ticks, button } = convergence(page);
  const first = await ticks();
  const at = await box(chart);
  const session = await page.context().newCDPSession(page);
  const touch = (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, /** @type {number} */ share) => session.send('Input.dispatchTouchEvent', {
    type, touchPoints: type === 'touchEnd' ? [] : [{ x: at.x + at.width * share, y: at.y + at.height / 2 }],
  });
  await touch('touchStart', 0.3);
  for (const share of [0.4, 0.5, 0.6]) await touch('touchMove', share);
  await touch('touchEnd', 0);
  assert.notDeepEqual(await ticks(), first);
  await button('Show all').tap();
  await close(page);
});

check('axes are logarithmic or not, as asked', async () => {
  const page = await openFile(FILE);
  const { panel, ticks, curve, button } = convergence(page);
  const [before_, first] = [await curve(), await ticks()];
  const title = panel.locator('svg:visible .axis-title').first();
  assert.match(await title.textContent() ?? '', /logarithmic/);
  assert.equal(await button('x logarithmic').getAttribute('aria-pressed'), 'true');
  await button('x logarithmic').click();
  assert.doesNotMatch(await title.textContent() ?? '', /logarithmic/);
  assert.notDeepEqual(await ticks(), first);
  await button('y logarithmic').focus();
  await page.keyboard.press('Enter');
  assert.match(await panel.locator('svg:visible .axis-title').nth(1).textContent() ?? '', /logarithmic/);
  assert.ok((await curve()).every(Number.isFinite));
  await button('Show all').click();
  same(await curve(), before_);
  assert.equal(await button('y logarithmic').getAttribute('aria-pressed'), 'false');
  await close(page);
});
