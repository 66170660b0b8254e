// The exercise teaches only if wrong answers fail: the stubs, and solutions that are wrong in one way each.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const { SHARDLAB_LAB_HEADER, SHARDLAB_LAB_STUBS, SHARDLAB_LAB_SOLUTION, SHARDLAB_LAB_MUTANTS } = process.env;

const unescape = (text) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&');

/** Runs the lab's cases of a binary; gives for each its name, tags, whether it passed, and all that it said. */
function run(binary) {
  const { status, stdout, error } = spawnSync(binary, ['[lab]', '--reporter', 'xml'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  assert.ifError(error);
  const cases = stdout
    .split('<TestCase ')
    .slice(1)
    .map((xml) => ({
      name: unescape(/^name="([^"]*)"/.exec(xml)[1]),
      tags: /tags="([^"]*)"/.exec(xml)[1],
      passed: /<OverallResult success="true"/.test(xml),
      text: unescape(xml.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' '),
    }));
  assert.equal(status === 0, cases.every((each) => each.passed), `${binary} exits with ${status}`);
  return cases;
}

const failed = (cases) => cases.filter((each) => !each.passed);
const names = (cases) => cases.map((each) => each.name);
const of = (cases, name) => cases.filter((each) => each.tags.includes(`[${name}]`));

const solution = run(SHARDLAB_LAB_SOLUTION);
const stubs = run(SHARDLAB_LAB_STUBS);
const header = readFileSync(SHARDLAB_LAB_HEADER, 'utf8');

/** The functions that the header asks for, each with the names of its tests and whether it is still to be written. */
const functions = [...header.matchAll(/\/\/\/ Tests: \[(\w+)\]/g)].map(([, name]) => ({
  name,
  isUnwritten: header.includes(`not_written("${name}"`),
}));

test('every lab case passes with the reference', () => {
  assert.ok(solution.length > 0);
  assert.deepEqual(names(failed(solution)), []);
});

test('the exercise runs the same cases as the reference', () => {
  assert.deepEqual(names(stubs).sort(), names(solution).sort());
});

test('eleven functions are asked for, and every case belongs to one of them', () => {
  assert.equal(functions.length, 11);
  const counted = functions.reduce((sum, { name }) => sum + of(solution, name).length, 0);
  assert.equal(counted, solution.length);
});

for (const { name, isUnwritten } of functions) {
  const cases = of(stubs, name);

  // A student's own solution may stand there; whether it is right is for the exercise's tests to say.
  if (!isUnwritten) {
    test(`no case of ${name}, which is written, asks for it`, () => {
      assert.ok(cases.length >= 2, `${cases.length} cases`);
      for (const each of cases) assert.ok(!each.text.includes('is still to be written'), each.text);
    });
    continue;
  }

  test(`every case of ${name} fails while it is not written and says what is asked for`, () => {
    assert.ok(cases.length >= 2, `${cases.length} cases`);
    assert.deepEqual(names(failed(cases)), names(cases));
    const doc = header.slice(0, header.indexOf(`/// Tests: [${name}]`)).split('\n\n').at(-1);
    const task = /^\/\/\/ (?:Extension: )?([^.]*)\./.exec(doc.replaceAll('\n/// ', ' '))[1];
    for (const each of cases) {
      assert.ok(each.text.includes(`${name} is still to be written, in core/exercise/lab.hpp.`), each.text);
      assert.ok(each.text.toLowerCase().includes(task.toLowerCase()), `${each.text} lacks ${task}`);
    }
  });
}

/** What each mutant is caught by: the function whose cases fail, and the message of one of them. */
const mutants = {
  off_by_one_chunk: [
    'ring_all_reduce',
    "rank 0, element 0 (chunk 0): is 1, must be 1111: rank 1's, rank 2's and rank 3's contributions are missing",
  ],
  forgotten_all_gather: [
    'ring_all_reduce',
    "rank 0, element 0 (chunk 0): is 1, must be 1111: rank 1's, rank 2's and rank 3's contributions are missing",
  ],
  serial_sum: ['ring_all_reduce', 'rank 0, element 1 (chunk 1): is 1, must be 0'],
  gpipe_order: ['pipeline_schedule_1f1b', 'stage 0, position 4: is F4, must be B0'],
  row_without_all_reduce: [
    'tensor_parallel_matmul',
    "output feature 0, sample 0: is 5, must be 30: rank 1's contribution is missing",
  ],
  unsharded_gradients: ['zero_memory_per_gpu', 'stage 2, 2 ranks, 1000000 parameters: gradient_bytes is 2000000, must be 1000000'],
};

for (const [mutant, [name, message]] of Object.entries(mutants)) {
  test(`the solution with ${mutant} fails in ${name} alone and is told where`, () => {
    const cases = failed(run(join(SHARDLAB_LAB_MUTANTS, mutant)));
    assert.ok(cases.length > 0);
    assert.deepEqual(names(cases), names(of(cases, name)));
    assert.ok(cases.some((each) => each.text.includes(message)), cases.map((each) => each.text).join('\n'));
  });
}

test('answers of nothing but zeros fail every case', () => {
  const cases = run(join(SHARDLAB_LAB_MUTANTS, 'zeros'));
  assert.deepEqual(names(cases).sort(), names(solution).sort());
  assert.deepEqual(names(cases.filter((each) => each.passed)), []);
});

test('every mutant is held to what catches it', () => {
  const built = readdirSync(new URL('mutants', import.meta.url));
  assert.deepEqual(built.sort(), [...Object.keys(mutants), 'zeros'].map((name) => `${name}.hpp`).sort());
});
