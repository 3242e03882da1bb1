// The words of the server as pages show them; no browser is needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence } from '../../crates/serve/src/pages/common/dom.js';

test('a sentence has a capital letter and an end, but a path keeps its letters', () => {
  for (const [words, shown] of [
    ['the text is in no known puzzle format', 'The text is in no known puzzle format.'],
    ['unknown key `sede`; did you mean `seed`?', 'Unknown key `sede`; did you mean `seed`?'],
    ['results/a/runs.csv, line 3: cut off', 'results/a/runs.csv, line 3: cut off.'],
    ['Solved!', 'Solved!'],
  ]) {
    assert.equal(sentence(words), shown);
  }
});
