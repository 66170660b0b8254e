import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { after, test } from "node:test";
import { collective, examples, importBuilt, kernel, packageDirectory, repository, trace } from "./support.mjs";

const ts = createRequire(path.join(repository, "web/package.json"))("typescript");
const declarations = path.join(packageDirectory, "index.d.ts");
const program = ts.createProgram([declarations], {
  target: ts.ScriptTarget.ES2021,
  module: ts.ModuleKind.ES2022,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2021.d.ts", "lib.dom.d.ts"],
  types: [],
  strict: true,
  noEmit: true,
});
const checker = program.getTypeChecker();
const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(declarations)));

const shardlab = await importBuilt();
const lab = await shardlab.load();
const remoteLab = await shardlab.loadInWorker();
after(() => remoteLab.close());

function resolved(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function declaredType(name) {
  return checker.getDeclaredTypeOfSymbol(resolved(exported.find((symbol) => symbol.name === name)));
}

function namesOf(type) {
  return checker.getPropertiesOfType(type).map((property) => property.name).sort();
}

function typeOfProperty(type, name) {
  return checker.getTypeOfSymbol(checker.getPropertyOfType(type, name));
}

const primitives = [
  [ts.TypeFlags.Number, "number"],
  [ts.TypeFlags.String, "string"],
  [ts.TypeFlags.Boolean, "boolean"],
];

/** Where a value departs from its declared type: a list of sentences, empty where it is exact. */
function departures(type, value, place) {
  if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean)) {
    const each = type.types.map((member) => departures(member, value, place));
    return each.some((found) => found.length === 0) ? [] : [`${place} is none of ${checker.typeToString(type)}`];
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) {
    return value === type.value ? [] : [`${place} is ${value}, not ${type.value}`];
  }
  if (type.flags & ts.TypeFlags.Null) {
    return value === null ? [] : [`${place} is ${value}, not null`];
  }
  for (const [flag, name] of primitives) {
    if (type.flags & flag) {
      return typeof value === name ? [] : [`${place} is a ${typeof value}, not a ${name}`];
    }
  }
  if (checker.isArrayType(type)) {
    const [elementType] = checker.getTypeArguments(type);
    return Array.isArray(value)
      ? value.flatMap((element, index) => departures(elementType, element, `${place}[${index}]`))
      : [`${place} is no array`];
  }
  if (/^(Float64|Int32|Uint8)Array$/.test(type.symbol.name)) {
    return value?.constructor?.name === type.symbol.name ? [] : [`${place} is no ${type.symbol.name}`];
  }
  return objectDepartures(type, value, place);
}

function objectDepartures(type, value, place) {
  if (typeof value !== "object" || value === null) {
    return [`${place} is no object`];
  }
  const declared = namesOf(type);
  const real = Object.keys(value).sort();
  if (declared.join() !== real.join()) {
    return [`${place} has the keys ${real}, declared are ${declared}`];
  }
  return declared.flatMap((name) => departures(typeOfProperty(type, name), value[name], `${place}.${name}`));
}

function returnTypeOf(interfaceType, routine) {
  return typeOfProperty(interfaceType, routine).getCallSignatures()[0].getReturnType();
}

test("the declarations themselves are free of errors", () => {
  assert.deepEqual(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText), []);
});

test("the module exports the declared names and no others", () => {
  const declared = exported.filter((symbol) => resolved(symbol).flags & ts.SymbolFlags.Value).map(({ name }) => name);
  assert.deepEqual(Object.keys(shardlab).sort(), declared.sort());
});

test("a lab has the declared routines and no others, on the main thread and in a worker", () => {
  assert.deepEqual(Object.keys(lab).sort(), namesOf(declaredType("Lab")));
  assert.deepEqual(Object.keys(remoteLab).sort(), namesOf(declaredType("AsyncLab")));
});

for (const [routine, options] of Object.entries(examples)) {
  test(`${routine} gives exactly the declared type`, () => {
    const type = returnTypeOf(declaredType("Lab"), routine);
    assert.deepEqual(departures(type, lab[routine](options), routine), []);
  });

  test(`${routine} says in the declarations what it does`, () => {
    const property = checker.getPropertyOfType(declaredType("Lab"), routine);
    assert.match(ts.displayPartsToString(property.getDocumentationComment(checker)), /^[A-Z].*\.$/s);
  });
}

test("measureTraces gives exactly the declared type", async () => {
  const type = declaredType("MeasureTracesResult");
  const whole = trace([kernel(100, 20), collective(110, 40), { ...kernel(0, 1), dur: -1 }]);
  for (const files of [whole, [whole, trace([collective(5, 60)], 1)], trace([1, 2, 4].map((size) => collective(99 * size, size, size)))]) {
    assert.deepEqual(departures(type, await lab.measureTraces({ files }), "measured"), []);
  }
});

test("departures from a type are found", () => {
  const type = returnTypeOf(declaredType("Lab"), "allReduceCost");
  const right = lab.allReduceCost(examples.allReduceCost);
  assert.equal(departures(type, { ...right, more: 1 }, "cost").length, 1);
  assert.equal(departures(type, { ...right, steps: "14" }, "cost").length, 1);
  assert.equal(departures(type, { ...right, seconds: undefined }, "cost").length, 1);
  const { steps, ...fewer } = right;
  assert.equal(departures(type, fewer, "cost").length, 1, `without the ${steps} steps`);
  const matrix = returnTypeOf(declaredType("Lab"), "randomMatrix");
  assert.equal(departures(matrix, [[1]], "matrix").length, 1);
});
