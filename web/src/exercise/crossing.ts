/** How values cross from the interpreter to the page: what runs in there before any source, and how its texts are read. */

import { Odd } from "./answers.js";

/** The most numbers, lists and objects in an answer. The longest right one has some thousands. */
const mostValues = 100_000;
/** Of a text that is thrown or logged, and of where an error comes from. */
const mostCharacters = 1000;
/** Lists and objects within each other that are logged. */
const deepestShown = 10;
/** Those of an answer of which anything is read: `operations` has four, and an operation's members. */
const deepest = 5;

/**
 * Gives the two functions that the page calls:
 *
 * - `invoke(name, options)` calls a source's function, and gives its answer, a line feed, and what it has left of its
 *   options where it changed them. Both are JSON. A text stands there for what JSON has no sign for, and for what is
 *   wrong wherever it stands, texts among it: no task asks for one.
 * - `tell(thrown)` gives what is known of anything that was thrown: `{ name, message, stack }`, or what it is, in `is`.
 *
 * A student may replace what is built in without harm to either: they hold what they use.
 */
export const prelude = `(() => {
  const { parse, stringify } = JSON;
  const { from, isArray } = Array;
  const { isFinite } = Number;
  const { getPrototypeOf, is } = Object;
  const { isPrototypeOf } = Object.prototype;
  const [errors, ends, promises] = [Error, InternalError, Promise].map(({ prototype }) => prototype);
  const { isView } = ArrayBuffer;
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const text = String;
  const functions = globalThis;
  const kinds = { __proto__: null, string: "a text", function: "a function", symbol: "a symbol", bigint: "a BigInt", undefined: "undefined" };
  const generators = getPrototypeOf(function* () {}).prototype;
  const isOf = (prototype, value) => apply(isPrototypeOf, prototype, [value]);
  const cut = (long) => apply(slice, long, [0, ${mostCharacters}]);

  const tooMany = {};
  let values;
  const plain = (_, value) => {
    if (++values > ${mostValues}) throw tooMany;
    const kind = typeof value;
    if (kind === "number") return isFinite(value) && !is(value, -0) ? value : is(value, -0) ? "-0" : value + "";
    if (kind in kinds) return kinds[kind];
    if (isOf(promises, value)) return "a promise (the function must not be async)";
    if (isOf(generators, value)) return "a generator (the function must have no *)";
    return isView(value) ? from(value) : value;
  };
  const crossing = (value) => {
    values = 0;
    try {
      return stringify(value, plain);
    } catch (error) {
      if (error === tooMany) return '"more than ${mostValues} values"';
      throw error;
    }
  };
  const invoke = (name, options) => {
    const given = { __proto__: null, ...parse(options) };
    const before = stringify(given);
    const answer = crossing(functions[name]({ ...given }));
    return answer + "\\n" + (stringify(given) === before ? "" : crossing(given));
  };

  const tell = (thrown) => {
    try {
      const kind = typeof thrown;
      if (thrown === "") return '{"is":"an empty text"}';
      if (kind === "string" || kind === "number" || kind === "bigint" || kind === "boolean") return stringify({ __proto__: null, message: cut(text(thrown)) });
      if (kind !== "object" || thrown === null) return stringify({ __proto__: null, is: kinds[kind] ?? "null" });
      const { message, name, stack } = thrown;
      const told = { __proto__: null };
      if (isOf(errors, thrown) || typeof message === "string") {
        told.name = typeof name === "string" ? cut(name) : "";
        told.message = typeof message === "string" ? cut(message) : "";
        told.stack = typeof stack === "string" ? cut(stack) : "";
      } else {
        told.is = isArray(thrown) ? "a list" : "an object";
      }
      return stringify(told);
    } catch (error) {
      if (error === null || isOf(ends, error)) throw error;
      return '{"is":"something that cannot be looked at"}';
    }
  };

  const shown = (value) => {
    if (typeof value === "string") return value;
    let path;
    const plainer = function (_, one) {
      if (typeof one === "number") return isFinite(one) ? one : one + "";
      if (typeof one === "bigint" || typeof one === "symbol") return text(one);
      if (typeof one !== "object" || one === null) return one;
      if (isOf(errors, one)) return text(one);
      while (path !== undefined && path.holder !== this) path = path.above;
      for (let above = path; above !== undefined; above = above.above) if (above.holder === one) return "[circular]";
      const depth = path === undefined ? 0 : path.depth + 1;
      if (depth > ${deepestShown}) return "…";
      const holder = isView(one) ? from(one) : one;
      path = { holder, above: path, depth };
      return holder;
    };
    try {
      return typeof value === "symbol" || typeof value === "bigint" || isOf(errors, value) ? text(value) : stringify(value, plainer) ?? text(value);
    } catch {
      return "something that cannot be shown";
    }
  };
  const { log } = globalThis;
  delete globalThis.log;
  globalThis.console = {
    log(...all) {
      let line = "";
      for (let index = 0; index < all.length; index += 1) line += (index === 0 ? "" : " ") + cut(shown(all[index]));
      log(cut(line));
    },
  };
  return { invoke, tell };
})()`;

/** An answer, or options, as `invoke` gives them. What lies deeper than anything that is asked for is left out. */
export function revived(json: string): unknown {
  return readAs(JSON.parse(json), deepest);
}

function readAs(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value === "undefined" ? undefined : /^(NaN|-?Infinity|-0)$/.test(value) ? Number(value) : new Odd(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.map((one) => readAs(one, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readAs(one, depth - 1)]));
}
