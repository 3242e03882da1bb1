// The server: requests, streams, and what to do when it does not answer.

import { el } from './dom.js';

/** What the banners say. */
const [LOST, NO_TOKEN] = ['The server does not answer. This page goes on when kenga serve is back.',
  'This page lost its token, which is new each time kenga serve starts. Open the address that it has printed, then load this page again.'];

const ROOT = '/api/v1/';

/** Why the server has refused: `message` says what is wrong, `help` what to do. */
export class Refused extends Error {
  /** @param {{code: string, message: string, help?: string | null, line?: number | null, column?: number | null}} error */
  constructor({ code, message, help, line, column }) {
    super(message);
    this.name = 'Refused';
    this.code = code;
    this.help = help ?? '';
    const of = code === 'bad_puzzle' ? ' of the puzzle' : code === 'bad_config' ? ' of the configuration' : '';
    /** Where in a text that was sent. */
    this.place = line ? `line ${line}${of}, column ${column}` : '';
  }
}

/**
 * Has the server do something.
 * @param {string} endpoint
 * @param {Record<string, any>} body
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
export async function ask(endpoint, body, { signal } = {}) {
  const headers = { 'Content-Type': 'application/json' };
  try {
    return await answered(endpoint, { method: 'POST', headers, body: JSON.stringify(body), signal });
  } catch (error) {
    // Nobody sees the text of a puzzle that is an object.
    if (error instanceof Refused && typeof body.puzzle === 'object') error.place = '';
    throw error;
  }
}

/**
 * What the server has to show.
 * @param {string} endpoint
 * @param {Record<string, string | number>} [query]
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
export function show(endpoint, query = {}, { signal } = {}) {
  return answered(`${endpoint}${asQuery(query)}`, { signal });
}

/** @param {Record<string, string | number>} query */
function asQuery(query) {
  const pairs = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  return pairs.size ? `?${pairs}` : '';
}

/** @param {string} address @param {RequestInit} request */
async function answered(address, request) {
  let response;
  try {
    response = await fetch(ROOT + address, request);
  } catch (error) {
    if (error instanceof DOMException) throw error;
    lost();
    // The banner says it, once and for all parts of the page.
    throw new DOMException(LOST, 'AbortError');
  }
  found();
  const answer = await response.json();
  if (response.ok) {
    if (isStranger) banner?.remove();
    isStranger = false;
    return answer;
  }
  if (answer.error.code === 'no_token') explainToken();
  throw new Refused(answer.error);
}

/**
 * Follows a stream of events. It is taken up again by itself when the server comes back.
 * An event of the page's own, `gone`, says that the server refuses the stream and that it is not taken up again.
 * @param {string} endpoint
 * @param {Record<string, string | number>} query
 * @param {Record<string, (data: any) => void>} handlers what to do with each kind of event
 * @returns {() => void} ends it
 */
export function stream(endpoint, query, handlers) {
  const source = new EventSource(`${ROOT}${endpoint}${asQuery(query)}`);
  source.addEventListener('open', found);
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) handlers.gone?.(undefined);
    else lost();
  });
  for (const [kind, handle] of Object.entries(handlers)) {
    if (kind === 'gone') continue;
    source.addEventListener(kind, event => handle(JSON.parse(/** @type {MessageEvent} */ (event).data)));
  }
  return () => source.close();
}

/** @type {HTMLElement | undefined} */
let banner;
/** The banner says that the token is missing. */
let isStranger = false;
/** @type {ReturnType<typeof setInterval> | undefined} */
let asking;

/** Says that the server is gone, and asks until it is back. */
function lost() {
  if (asking) return;
  tell(LOST);
  asking = setInterval(() => fetch(`${ROOT}health`).then(found, () => {}), 1000);
}

function found() {
  if (!asking) return;
  clearInterval(asking);
  asking = undefined;
  banner?.remove();
  document.dispatchEvent(new Event('kenga:back'));
}

function explainToken() {
  isStranger = true;
  tell(NO_TOKEN);
}

/** @param {string} words */
function tell(words) {
  banner?.remove();
  banner = el('div', { class: 'alert bad banner', role: 'alert' }, words);
  // What lies under a dialog is not seen.
  (document.querySelector('dialog[open]') ?? document.querySelector('main'))?.prepend(banner);
}
