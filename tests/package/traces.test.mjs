import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { collective, importBuilt, kernel, repository, trace } from "./support.mjs";

const { load, loadInWorker, ShardlabError } = await importBuilt();
const lab = await load();
const remoteLab = await loadInWorker();
after(() => remoteLab.close());

const excerpt = (name) => readFile(path.join(repository, "tests/data/traces", `${name}.json.gz`));
const dlrm = await Promise.all([0, 1].map((rank) => excerpt(`dlrm_8xV100_rank${rank}`)));
const collectives = await excerpt("collectives_2xA100_rank0");
const text = gunzipSync(dlrm[0]);

const microseconds = (seconds) => Math.round(seconds * 1e9) / 1e3;

/** A stream of these pieces, which says whether it was cancelled. */
function streamOf(pieces) {
  const source = { cancelled: false };
  const left = [...pieces];
  source.stream = new ReadableStream({
    pull(controller) {
      if (left.length > 0) controller.enqueue(left.shift());
      else controller.close();
    },
    cancel() {
      source.cancelled = true;
    },
  });
  return source;
}

for (const [place, one] of [["on the main thread", lab], ["in a worker", remoteLab]]) {
  test(`${place}: real traces, packed by gzip, of one rank and of two`, async () => {
    const { traces, together, matched } = await one.measureTraces({ files: dlrm });
    assert.deepEqual(
      traces.map(({ rank, ncclKernels, ncclSeconds, overlapSeconds }) => [
        rank,
        ncclKernels,
        microseconds(ncclSeconds),
        microseconds(overlapSeconds),
      ]),
      [
        [0, 8, 5798, 261],
        [1, 8, 11336, 280],
      ],
    );
    assert.equal(together.ncclKernels, 16);
    assert.equal(matched.collectives.length, 8);
    assert.equal(microseconds(matched.waitedSeconds), 5626);
    const alone = await one.measureTraces({ files: collectives });
    assert.equal(alone.together.ncclKernels, 21);
    assert.ok(alone.together.collectives.some(({ kind, elements }) => kind === "all_reduce" && elements === 2049000));
    assert.equal(alone.fit.ranks, 2);
    assert.equal(alone.matched, null);
    assert.deepEqual(alone.traces[0], alone.together);
  });

  test(`${place}: a file is the same in every form, and wherever a stream cuts it`, async () => {
    const expected = (await one.measureTraces({ files: text })).together;
    assert.equal(expected.events, 290);
    const cut = (bytes, size) => Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
    const copy = (bytes) => new Uint8Array(bytes).buffer;
    for (const files of [
      new Blob([text]),
      new Blob([dlrm[0]]),
      copy(text),
      copy(dlrm[0]),
      text.toString(),
      streamOf(cut(text, 997)).stream,
      streamOf(cut(dlrm[0], 100)).stream,
      [new Blob([text])],
    ]) {
      assert.deepEqual((await one.measureTraces({ files })).together, expected);
    }
    assert.equal(text.length, gunzipSync(dlrm[0]).length, "bytes that were given are still there");
  });

  test(`${place}: what is no trace is refused, with the file's name or place`, async () => {
    const refused = (files, value, rule = /traceEvents/) =>
      assert.rejects(one.measureTraces({ files }), (error) => {
        assert.ok(error instanceof ShardlabError);
        assert.equal(error.parameter, "files");
        assert.match(String(error.value), value);
        assert.match(error.rule, rule);
        return true;
      });
    await refused("", /^an empty text$/);
    await refused(["{}", "x"], /^number 1 of 2: JSON of 2 bytes without an event$/);
    await refused([trace([kernel(1, 1)]), "x "], /^number 2 of 2: a text that begins no JSON$/);
    await refused(Object.assign(new Blob(["<html>"]), { name: "page.html" }), /^page.html: a text that begins no JSON$/);
    await refused(new Uint8Array([0x1f, 0x8b, 1, 2, 3]), /./, /gzip/);
    await refused([], /empty/, /at least one/);
    await refused([trace([kernel(1, 1)]), trace([kernel(1, 1)])], /^rank 0 in number 1 and in number 2$/, /different ranks/);
    await refused(5, /5/, /Blobs/);
    await refused([undefined], /undefined/, /Blobs/);
    await refused(streamOf(["text"]).stream, /^text$/, /bytes/);
    await assert.rejects(one.measureTraces({ files: "x", file: 1 }), { parameter: "file" });
    await assert.rejects(one.measureTraces({ files: "x", signal: {} }), { parameter: "signal" });
    await assert.rejects(one.measureTraces({ files: "x", onProgress: 5 }), { parameter: "onProgress" });
    await assert.rejects(one.measureTraces(), { parameter: "options" });
    // What was refused leaves nothing behind.
    assert.equal((await one.measureTraces({ files: trace([kernel(1, 1)]) })).together.events, 1);
  });

  test(`${place}: a file that was cut off says where, packed or not`, async () => {
    const cut = await one.measureTraces({ files: text.subarray(0, 20000) });
    assert.equal(cut.together.brokenAtByte, 20000);
    const packed = await one.measureTraces({ files: gzipSync(text, { level: 0 }).subarray(0, 20000) });
    assert.ok(packed.together.brokenAtByte > 10000);
    assert.ok(packed.together.events > 50);
  });

  test(`${place}: of a small packed file that was cut off most is read, and what follows a packed file is passed over`, async () => {
    const packed = gzipSync(text);
    const whole = (await one.measureTraces({ files: packed })).together.events;
    const cut = (await one.measureTraces({ files: packed.subarray(0, Math.floor(packed.length * 0.9)) })).together;
    assert.ok(cut.events > 0.5 * whole, `${cut.events} of ${whole}`);
    const more = await one.measureTraces({ files: Buffer.concat([packed, Buffer.from("garbage")]) });
    assert.ok(more.together.events > 0.5 * whole, `${more.together.events} of ${whole}`);
  });

  test(`${place}: a packed file of several members is all of them`, async () => {
    const expected = (await one.measureTraces({ files: text })).together;
    for (const cuts of [[7000], [1, 2, 4096, 12288], Array.from({ length: 40 }, (_, at) => 500 * (at + 1))]) {
      const members = [0, ...cuts].map((from, index) => gzipSync(text.subarray(from, cuts[index]), { level: index % 3 }));
      const packed = Buffer.concat(members);
      for (const files of [packed, streamOf([packed.subarray(0, 5000), packed.subarray(5000)]).stream]) {
        assert.deepEqual((await one.measureTraces({ files })).together, expected, `${cuts.length + 1} members`);
      }
    }
    const broken = Buffer.concat([gzipSync(text.subarray(0, 20000)), Buffer.from([0x1f, 0x8b, 8]), Buffer.from("garbage")]);
    assert.equal((await one.measureTraces({ files: broken })).together.brokenAtByte, 20000);
  });

  test(`${place}: what follows a break is not read`, async () => {
    const events = JSON.stringify(kernel(1, 1));
    const source = streamOf([`{"traceEvents": [${events}, ]]`, ...new Array(50).fill("x".repeat(1000))].map((piece) => Buffer.from(piece)));
    const { together } = await one.measureTraces({ files: source.stream });
    assert.equal(together.events, 1);
    assert.ok(together.brokenAtByte > 0);
    assert.ok(source.cancelled);
  });

  test(`${place}: progress comes with every piece, and a signal stops the reading`, async () => {
    const large = Buffer.concat([Buffer.from(trace([kernel(1, 1)]).slice(0, -2)), Buffer.alloc(5 * 2 ** 20, 0x20), Buffer.from("]}")]);
    const seen = [];
    await one.measureTraces({ files: [trace([collective(1, 1)], 1), new Blob([large])], onProgress: (progress) => seen.push(progress) });
    assert.deepEqual(seen[0], { file: 0, files: 2, bytesRead: seen[0].bytes, bytes: trace([collective(1, 1)], 1).length });
    assert.equal(seen.length, 7);
    assert.deepEqual(seen.at(-1), { file: 1, files: 2, bytesRead: large.length, bytes: large.length });
    assert.ok(seen.slice(1).every(({ bytesRead }, index) => index === 0 || bytesRead > seen[index].bytesRead));

    const stop = new AbortController();
    const source = streamOf(new Array(1000).fill(Buffer.alloc(1000, 0x20)));
    const stopped = one.measureTraces({
      files: source.stream,
      signal: stop.signal,
      onProgress: ({ bytesRead, bytes }) => {
        assert.equal(bytes, null);
        if (bytesRead >= 5000) stop.abort();
      },
    });
    await assert.rejects(stopped, { name: "AbortError" });
    assert.ok(source.cancelled);
    const never = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("[")), pull: () => new Promise(() => {}) });
    const waiting = new AbortController();
    const stuck = one.measureTraces({ files: never, signal: waiting.signal, onProgress: () => setTimeout(() => waiting.abort()) });
    await assert.rejects(stuck, { name: "AbortError" });
    await assert.rejects(one.measureTraces({ files: "x", signal: AbortSignal.abort(new Error("enough")) }), { message: "enough" });
  });

  test(`${place}: several jobs at once do not mix`, async () => {
    const jobs = [1, 2, 3].map((count) => one.measureTraces({ files: new Blob([trace(Array.from({ length: count }, (_, at) => kernel(10 * at + 1, 5)))]) }));
    assert.deepEqual((await Promise.all(jobs)).map(({ together }) => together.events), [1, 2, 3]);
  });
}

test("a large trace takes memory for its kernels, not for its size", async () => {
  const one = Buffer.from(`${JSON.stringify({ ...kernel(1, 1), args: { note: "x".repeat(2 ** 20 - 200) } })},\n`);
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const source = streamOf([Buffer.from('{"traceEvents": ['), ...new Array(200).fill(one), Buffer.from("]}")]);
  const { together } = await lab.measureTraces({
    files: source.stream,
    onProgress: () => (most = Math.max(most, process.memoryUsage().arrayBuffers)),
  });
  assert.equal(together.events, 200);
  assert.ok(most - before < 40 * 2 ** 20, `${most - before} bytes`);
});

test("a module that is not there is named", async () => {
  const small = await load({ modules: ["shardlab"] });
  await assert.rejects(small.measureTraces({ files: "x" }), { parameter: "modules", rule: /traces, for measureTraces/ });
});
