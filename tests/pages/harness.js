// What the checks of all pages share: a server in a folder of its own, a browser, and what no page may do.
//
// KENGA names the program to check; KENGA_BROWSER the browser, else Debian's chromium; with KENGA_SOURCE the pages are taken from
// the tree as they stand, though the program was built before; with KENGA_SLOW every answer of the API comes up to so many
// milliseconds later, each by another time: a check that reads what it has not waited for fails. Without a browser the checks are
// left out, unless KENGA_PAGES is `required`.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** The program that is checked. */
export const PROGRAM = resolve(process.env.KENGA ?? join(import.meta.dirname, '../../target/debug/kenga'));
const BROWSER = process.env.KENGA_BROWSER ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Where screenshots go, if anywhere. */
const PICTURES = process.env.KENGA_PICTURES;

const isMissing = !existsSync(BROWSER);
if (isMissing) {
  const words = `no browser at ${BROWSER}`;
  if (process.env.KENGA_PAGES === 'required') throw new Error(`${words}: the pages cannot be checked`);
  process.stderr.write(`${words}: the pages are not checked\n`);
}

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Server[]} */
const servers = [];

before(async () => {
  if (!isMissing) browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
});

after(async () => {
  await browser?.close();
  await Promise.all(servers.map(server => server.end()));
});

/** Where the pages are written. */
const SOURCE = join(import.meta.dirname, '../../crates/serve/src/pages');

/** Has a context see the pages as they are written, not as they were built. @param {import('playwright-core').BrowserContext} context */
async function fromSource(context) {
  await context.route('**/page/**', route => {
    const file = join(SOURCE, new URL(route.request().url()).pathname.replace('/page/', ''));
    return existsSync(file) ? route.fulfill({ path: file }) : route.continue();
  });
  await context.route(address => existsSync(join(SOURCE, address.pathname, 'page.html')), async route => {
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    const content = readFileSync(join(SOURCE, new URL(route.request().url()).pathname, 'page.html'), 'utf8');
    const body = (await response.text()).replace(/(<main[^>]*>)[^]*(<\/main>)/, (_, begin, end) => begin + content + end);
    return route.fulfill({ response, body });
  });
}

/** The longest time by which an answer is late, in milliseconds. */
const SLOW = Number(process.env.KENGA_SLOW ?? 0);

/** Has the answers of the API come late, each by another time. @param {import('playwright-core').BrowserContext} context */
async function late(context) {
  await context.route('**/api/**', async route => {
    await new Promise(done => setTimeout(done, Math.random() * SLOW));
    // A page that has gone meanwhile asks no more.
    await route.continue().catch(() => {});
  });
}

/** A server in a folder of its own. */
export class Server {
  /** @param {string} folder @param {string[]} args */
  constructor(folder, args) {
    this.folder = folder;
    this.args = args;
    this.port = 0;
    this.url = '';
    /** @type {import('node:child_process').ChildProcess | undefined} */
    this.child = undefined;
  }

  /** Starts it, the second time at the same port. */
  async start() {
    const child = spawn(PROGRAM, ['serve', '--port', String(this.port), ...this.args], { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] });
    this.child = child;
    const lines = createInterface({ input: child.stdout });
    this.url = await new Promise((done, fail) => {
      lines.once('line', done);
      child.once('exit', code => fail(new Error(`kenga serve has ended with ${code}`)));
    });
    this.port = Number(new URL(this.url).port);
    return this;
  }

  /** The address of a page. @param {string} path */
  at(path) {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Ends it as a signal does. @param {NodeJS.Signals} [signal] */
  async kill(signal = 'SIGKILL') {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise(done => child.once('exit', done));
    child.kill(signal);
    await gone;
  }

  async end() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A server that runs. @param {string[]} [args] @param {{folder?: string}} [options] the folder that it starts in @returns {Promise<Server>} */
export async function serve(args = [], { folder = mkdtempSync(join(tmpdir(), 'kenga-')) } = {}) {
  const server = new Server(folder, args);
  servers.push(server);
  return server.start();
}

/**
 * A page that is open, with what it has said on the console.
 * @typedef {import('playwright-core').Page & {faults: string[]}} Opened
 */

/** Widths and schemes in which every page must be right. */
export const LOOKS = /** @type {{width: number, height: number, scheme: 'light' | 'dark'}[]} */ ([
  { width: 1400, height: 900, scheme: 'light' }, { width: 1400, height: 900, scheme: 'dark' },
  { width: 400, height: 800, scheme: 'light' }, { width: 400, height: 800, scheme: 'dark' },
]);

/**
 * Opens a page as somebody who has opened the address that the server has printed.
 * @param {Server} server
 * @param {string} path
 * @param {{width?: number, height?: number, scheme?: 'light' | 'dark', context?: import('playwright-core').BrowserContext, expects?: RegExp, isStranger?: boolean}} [options]
 *   `context` is that of another tab; console messages that match `expects` are no faults; a stranger has no token
 * @returns {Promise<Opened>}
 */
export async function open(server, path, { width = 1400, height = 900, scheme = 'light', context, expects, isStranger = false } = {}) {
  const made = context ?? await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce' });
  if (!context && process.env.KENGA_SOURCE) await fromSource(made);
  if (!context && SLOW) await late(made);
  const page = /** @type {Opened} */ (await made.newPage());
  page.faults = [];
  const note = (/** @type {string} */ words) => {
    if (!expects?.test(words)) page.faults.push(words);
  };
  page.on('console', message => note(`${message.type()}: ${message.text()}`));
  page.on('pageerror', error => note(`error: ${error.message}`));
  if (!context && !isStranger) await page.goto(server.url);
  await page.goto(server.at(path));
  return page;
}

/**
 * Opens a file as somebody who was sent it.
 * @param {string} file
 * @param {{width?: number, height?: number, scheme?: 'light' | 'dark', runsScripts?: boolean, touches?: boolean}} [options]
 * @returns {Promise<Opened>}
 */
export async function openFile(file, { width = 1400, height = 900, scheme = 'light', runsScripts = true, touches = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce', javaScriptEnabled: runsScripts, hasTouch: touches });
  const page = /** @type {Opened} */ (await context.newPage());
  page.faults = [];
  page.on('console', message => page.faults.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', error => page.faults.push(`error: ${error.message}`));
  await page.goto(pathToFileURL(file).href);
  return page;
}

/** Ends a page: nothing was said on the console. @param {Opened} page */
export async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.close();
}

/** axe finds nothing, and nothing is wider than the screen. @param {Opened} page @param {string} [name] the screenshot's */
export async function sound(page, name) {
  // Given to the page by the browser's own protocol, which no content security policy stops.
  await page.evaluate(AXE);
  // To preload style sheets it would write styles into the page, which the policy forbids.
  const found = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run({ preload: false }));
  const words = found.violations.map((/** @type {any} */ one) => `${one.id}: ${one.help}: ${one.nodes.map((/** @type {any} */ node) => node.html).join(' ')}`);
  assert.deepEqual(words, []);
  const art = await page.locator('body').innerText();
  assert.doesNotMatch(art, /[╭╰]/, 'an error is drawn as on a terminal');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels wider than the screen`);
  if (PICTURES && name) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

/**
 * A check with a browser; left out where there is none.
 * @param {string} name
 * @param {() => Promise<void>} body
 */
export function check(name, body) {
  test(name, { skip: isMissing, timeout: 120_000 }, body);
}
