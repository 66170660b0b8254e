/** What can be said of cases and their results: subjects, addresses, totals, and the reports to copy. */

import type { Build, Case, Result } from "./suite.js";

/** A case with its address in the page. */
export interface Entry extends Case {
  slug: string;
}

/** The cases of one file. */
export interface Subject {
  title: string;
  file: string;
  entries: Entry[];
}

export interface Totals {
  passed: number;
  failed: number;
  seconds: number;
}

function slugOf(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "") || "case"
  );
}

/** Gives each case an address; where two would be the same, the later gets a number. */
export function addressed(cases: Case[]): Entry[] {
  const used = new Map<string, number>();
  return cases.map((one) => {
    const plain = slugOf(one.name);
    const count = (used.get(plain) ?? 0) + 1;
    used.set(plain, count);
    return { ...one, slug: count === 1 ? plain : `${plain}-${count}` };
  });
}

/** `tests/lab/ring_all_reduce.cpp` is `Lab: ring all reduce`. */
function titleOf(file: string): string {
  const words = file
    .replace(/^tests\//, "")
    .replace(/\.[^.]*$/, "")
    .replace(/\//g, ": ")
    .replace(/_/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function subjects(entries: Entry[]): Subject[] {
  const byFile = new Map<string, Subject>();
  for (const entry of entries) {
    const subject = byFile.get(entry.file);
    if (subject === undefined) {
      byFile.set(entry.file, { title: titleOf(entry.file), file: entry.file, entries: [entry] });
    } else {
      subject.entries.push(entry);
    }
  }
  return [...byFile.values()];
}

/** Every word must stand somewhere in a case's name, tags or file. */
export function matches(entry: Entry, filter: string): boolean {
  const text = `${entry.name} ${entry.tags} ${entry.file}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function totals(results: Iterable<Result>): Totals {
  const sum = { passed: 0, failed: 0, seconds: 0 };
  for (const { ok, seconds } of results) {
    if (ok) sum.passed += 1;
    else sum.failed += 1;
    sum.seconds += seconds;
  }
  return sum;
}

export function sentence({ passed, failed }: Totals): string {
  return `${passed} passed, ${failed} failed`;
}

/** A result under its case. */
interface Finished {
  entry: Entry;
  result: Result;
}

function finished(entries: Entry[], results: Map<string, Result>): Finished[] {
  return entries.flatMap((entry) => {
    const result = results.get(entry.name);
    return result === undefined ? [] : [{ entry, result }];
  });
}

export function asJson(entries: Entry[], results: Map<string, Result>, build: Build): string {
  const cases = finished(entries, results).map(({ entry, result }) => ({
    name: entry.name,
    tags: entry.tags.match(/[^[\]]+/g) ?? [],
    file: entry.file,
    line: entry.line,
    ok: result.ok,
    passed: result.passed,
    failed: result.failed,
    seconds: result.seconds,
    failures: result.failures,
  }));
  return JSON.stringify({ ...build, ...totals(results.values()), cases }, undefined, 2);
}

/** Text for XML 1.0, which has no way to write most control characters. */
function xml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;" };
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"\n]/g, (character) => entities[character]!);
}

function junitCase(subject: Subject, { entry, result }: Finished): string {
  const open = `    <testcase classname="${xml(subject.title)}" name="${xml(entry.name)}" time="${result.seconds}"`;
  if (result.ok) return `${open}/>`;
  const failures = result.failures.map(({ expression, expanded, messages, file, line }) => {
    const text = [expanded, ...messages, `at ${file}:${line}`].filter((part) => part !== "").join("\n");
    return `      <failure message="${xml(expression)}">${xml(text)}</failure>`;
  });
  if (failures.length === 0) failures.push('      <failure message="the case failed"/>');
  return `${open}>\n${failures.join("\n")}\n    </testcase>`;
}

export function asJunit(entries: Entry[], results: Map<string, Result>): string {
  const suites = subjects(entries).flatMap((subject) => {
    const done = finished(subject.entries, results);
    if (done.length === 0) return [];
    const { failed, seconds } = totals(done.map(({ result }) => result));
    const open = `  <testsuite name="${xml(subject.title)}" tests="${done.length}" failures="${failed}" time="${seconds}">`;
    return [open, ...done.map((one) => junitCase(subject, one)), "  </testsuite>"];
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", ...suites, "</testsuites>", ""].join("\n");
}

/** One line of a comparison of two builds. */
export interface Comparison {
  name: string;
  native: string | undefined;
  here: string;
}

export function compare(here: Build, native: Build | undefined): Comparison[] {
  const bitsOf = new Map(native?.bits.map(({ name, hash }) => [name, hash]));
  return [
    { name: "Sources (SHA-256)", native: native?.sources, here: here.sources },
    ...here.bits.map(({ name, hash }) => ({ name: `Bits: ${name}`, native: bitsOf.get(name), here: hash })),
  ];
}
