// The words of the server as pages show them; no browser is needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence } from '../../crates/serve/src/pages/common/dom.js';
import { asDrawn } from '../../crates/serve/src/pages/common/puzzle.js';

test('rows and clues are named as in pictures', () => {
  for (const [words, shown] of [
    ['row 6: 3 stands in A2', 'row F: 3 stands in A2'],
    ['rows 1, 2 and 27 add up to 30', 'rows A, B and AA add up to 30'],
    ['cage 8* at A1, cage 3- at B2; 12/.', 'cage 8× at A1, cage 3− at B2; 12÷.'],
    ['column 6, cage 7+ at F4', 'column 6, cage 7+ at F4'],
    ['2 rows of 1-3 digits', '2 rows of 1-3 digits'],
  ]) {
    assert.equal(asDrawn(words), shown);
  }
});

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
