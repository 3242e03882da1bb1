// The frame of all pages.

import assert from 'node:assert/strict';
import { LOOKS, check, close, open, serve, sound } from './harness.js';

const PATHS = ['/', '/api', '/theatre', '/solver', '/bench', '/lab', '/compare'];

for (const look of [...LOOKS, { width: 800, height: 900, scheme: /** @type {'light'} */ ('light') }]) {
  check(`every page is sound at ${look.width} pixels, ${look.scheme}`, async () => {
    const server = await serve();
    for (const path of PATHS) {
      const page = await open(server, path, look);
      await page.locator('h1').waitFor();
      await sound(page, `frame${path.replaceAll('/', '-')}-${look.width}-${look.scheme}`);
      await close(page);
    }
  });
}

check('the menu leads to every page, by mouse and by keys', async () => {
  const page = await open(await serve(), '/');
  for (const name of ['Theatre', 'Solver', 'Bench', 'Lab', 'Compare']) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
    // The page Solver writes the puzzle that it shows behind its address.
    await page.waitForURL(url => url.pathname === `/${name.toLowerCase()}`);
    assert.equal(await page.locator('[aria-current=page]').textContent(), name);
  }
  await page.goto(new URL('/', page.url()).href);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');
  await close(page);
});

check('an address at which nothing stands has a page, and JSON for programs', async () => {
  const server = await serve();
  for (const width of [400, 1400]) {
    const page = await open(server, '/', { width, expects: /status of 404/ });
    const response = await page.goto(server.at('/nosuch'));
    assert.equal(response?.status(), 404);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await sound(page, `nosuch-${width}`);
    const json = await page.evaluate(async () => (await fetch('/nosuch')).json());
    assert.equal(json.error.code, 'not_found');
    await page.getByRole('link', { name: 'To the start page' }).click();
    await page.getByRole('heading', { name: 'kenga' }).waitFor();
    await close(page);
  }
});

check('a browser without the token, or with a wrong one, is told what to open', async () => {
  const server = await serve();
  for (const [path, words] of [['/', 'takes the server'], ['/lab', 'takes the server'], ['/?token=0', 'is not this server'], ['/?ticket=0', 'is not this server']]) {
    const page = await open(server, path, { width: 400, isStranger: true, expects: /status of 401/ });
    await page.getByRole('heading', { name: 'This page takes the server' }).waitFor();
    await page.getByText(words).first().waitFor();
    await sound(page, 'token');
    const status = await page.evaluate(async () => (await fetch('/api/v1/experiments')).status);
    assert.equal(status, 401);
    await page.goto(server.url);
    await page.getByRole('heading', { name: 'kenga' }).waitFor();
    await close(page);
  }
});

check('the start page has four routes, and each step leads to what it names', async () => {
  const server = await serve();
  const page = await open(server, '/', { expects: /favicon/ });
  assert.deepEqual(await page.locator('.routes h2').allTextContents(), [
    'I sweep mutation rate and population size', 'I bring an algorithm of my own, in Python', 'I teach, and have one hour', 'I make puzzles',
  ]);
  /** @type {[string, string][]} what is seen behind a link */
  const steps = [
    ['Start a sweep', '#new:visible'], ['Follow it', '#folders'], ['Compare the settings', '#none:visible'], ['Follow its runs', '#folders'],
    ['Play the puzzle', '#play:visible'], ["Watch the lesson's runs", '#what option[value="example:lesson"]:checked'],
    ['Change one thing and run it', '#example option[value=lesson]:checked'], ['Generate a puzzle', 'dialog[open] #wish-kind'], ['Draw one, and play it', '#puzzle svg'],
    ['See how it is solved', '#person svg'],
  ];
  assert.equal(await page.locator('.routes a').count(), steps.length + 1);
  for (const [name, seen] of steps) {
    await page.goto(server.at('/'));
    await page.locator('.routes').getByRole('link', { name, exact: true }).click();
    await page.locator(seen).first().waitFor({ state: 'attached' });
  }
  await close(page);
});
