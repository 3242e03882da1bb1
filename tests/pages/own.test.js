// Problems of one's own: their folders in the Theatre, in Compare, and as a report.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOOKS, PROGRAM, check, close, open, serve, sound } from './harness.js';

/** Says how far genes are from a target. */
const PROBLEM = `import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "kenga" in message:
        target = message["options"].get("target", 1)
        continue
    values = [sum(abs(gene - target) for gene in genome) for genome in message["evaluate"]]
    print(json.dumps({"fitness": values}), flush=True)
`;

const OWN = `seed = 3
replicates = 4
budget.evaluations = 1500
[problem]
command = ["python3", "own.py"]
genes = 24
values = [0, 200]
resolution = 0.5
optimum = 0
[problem.instances]
near = { target = 1 }
far = { target = 120 }
[algorithm]
population = 20
[sweep]
"algorithm.mutation.rate" = [0.02, 0.2]
`;

/** A server with the folder of a problem. @param {string[]} args */
async function own(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'kenga-'));
  writeFileSync(join(folder, 'own.py'), PROBLEM);
  writeFileSync(join(folder, 'own.toml'), OWN);
  execFileSync(PROGRAM, ['run', 'own.toml', '--quiet', '--out', 'own'], { cwd: folder });
  return serve(['.', ...args], { folder });
}

for (const look of LOOKS) {
  check(`a problem of one's own is played at ${look.width} pixels, ${look.scheme}`, async () => {
    const page = await open(await own('--programs', '.'), '/theatre?folder=own&run=3', look);
    const now = page.locator('#now');
    await now.filter({ hasText: 'generation' }).waitFor({ timeout: 60_000 });
    await page.locator('#transport').getByRole('button', { name: 'To the end' }).click();
    await now.filter({ hasText: 'stopped: evaluations' }).waitFor({ timeout: 60_000 });
    await now.filter({ hasText: 'as recorded' }).waitFor();
    await page.getByRole('heading', { name: /^Best: value \d/ }).waitFor();
    assert.equal((await page.locator('#genes').innerText()).trim().split(/\s+/).length, 24);
    for (const hidden of ['#grid', '#microscope-panel', '.grid-key', '#cell-words']) {
      assert.ok(await page.locator(hidden).isHidden(), hidden);
    }
    await page.locator('#population canvas').focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('#individual-words').filter({ hasText: /value [\d.]+: gene 2 is \d+$/ }).waitFor();
    await sound(page, `own-theatre-${look.width}-${look.scheme}`);
    await close(page);
  });
}

check('a server without the option starts no program, and says which option does', async () => {
  const page = await open(await own(), '/theatre?folder=own', { expects: /422/ });
  await page.getByRole('alert').filter({ hasText: '--programs FOLDER' }).waitFor();
  await close(page);
});

check('a problem is compared by values, and its report speaks of instances', async () => {
  const page = await open(await own(), '/compare?folder=own');
  await page.getByRole('heading', { name: 'Differences' }).waitFor({ timeout: 60_000 });
  await page.locator('#asking:empty').waitFor({ state: 'attached' });
  const report = await page.locator('#answer > div').evaluate(host => host.shadowRoot?.textContent ?? '');
  for (const text of [report, await page.locator('main').innerText()]) {
    assert.match(text, /instances?/);
    assert.doesNotMatch(text, /puzzle/);
  }
  await sound(page, 'own-compare');
  await close(page);
});

check('the Lab lists a problem with its instances, and starts none', async () => {
  const page = await open(await own(), '/lab');
  await page.getByText('2 instances').waitFor();
  await page.getByRole('button', { name: 'Details own' }).click();
  await page.getByText('Instances: near, far').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Use as a start' }).count(), 0);
  await sound(page, 'own-lab');
  await close(page);
});
