// The server: requests, streams, and what to do when it does not answer.

import { el } from './dom.js';

const ROOT = '/api/v1/';

/** Why the server has refused; `message` is what the command line prints. */
export class Refused extends Error {
  /** @param {{code: string, text: string | null, message: string, help: string | null}} error */
  constructor(error) {
    super(error.text?.trimEnd() || error.message);
    this.name = 'Refused';
    this.code = error.code;
    /** The same in a line. */
    this.short = error.message;
    this.help = error.help ?? '';
  }
}

/** What went wrong, in a line. @param {unknown} error */
export function inShort(error) {
  return error instanceof Refused ? error.short : error instanceof Error ? error.message : String(error);
}

/**
 * Has the server do something.
 * @param {string} endpoint
 * @param {object} body
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
export function ask(endpoint, body, { signal } = {}) {
  const headers = { 'Content-Type': 'application/json' };
  return answered(endpoint, { method: 'POST', headers, body: JSON.stringify(body), signal });
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
    if (!(error instanceof DOMException)) lost();
    throw error instanceof DOMException ? error : new Error('The server does not answer; is kenga serve still running?');
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
  tell('The server does not answer. This page goes on when kenga serve is back.');
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
  tell('This page may only look. Open the address that kenga serve has printed, with its token, and load the page again.');
}

/** @param {string} words */
function tell(words) {
  banner?.remove();
  banner = el('div', { class: 'alert bad', role: 'alert' }, words);
  document.querySelector('main')?.prepend(banner);
}
