// The frame of all pages.

import assert from 'node:assert/strict';
import { LOOKS, check, close, open, serve, sound } from './harness.js';

const PATHS = ['/', '/api', '/theatre', '/solver', '/bench', '/lab'];

for (const look of LOOKS) {
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
  for (const name of ['Theatre', 'Solver', 'Bench', 'Lab']) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
    await page.waitForURL(`**/${name.toLowerCase()}`);
    assert.equal(await page.locator('[aria-current=page]').textContent(), name);
  }
  await page.goto(new URL('/', page.url()).href);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');
  await close(page);
});
