// A puzzle in the part of an address that no server sees: `#z=` and its JSON, deflated, in the letters of addresses.

/** @param {object} puzzle @returns {Promise<string>} */
export async function packed(puzzle) {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(puzzle)));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `#z=${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The puzzle in an address, or nothing. @param {string} hash @returns {Promise<object | undefined>} */
export async function unpacked(hash) {
  if (!hash.startsWith('#z=')) return undefined;
  try {
    const text = atob(hash.slice(3).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, letter => letter.charCodeAt(0));
    const puzzle = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes)));
    return puzzle && typeof puzzle === 'object' ? puzzle : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {CompressionStream | DecompressionStream} filter
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function through(filter, bytes) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(filter));
  return new Uint8Array(await answer.arrayBuffer());
}
