import { complete, type CompleteOptions } from "./complete.js";
import { options, routines, type Routine } from "./defaults.js";
import { isFailure, ShardlabError, type ErrorValue, type Failure } from "./error.js";
import { inRows } from "./matrix.js";
import { moduleOf, requireModule } from "./modules.js";
import type { Core } from "./shardlab.mjs";
import { measured } from "./trace-files.js";
import type { Lab, ModuleName } from "./types.js";

/** The routines over modules that run in this thread. */
export function labOf(cores: ReadonlyMap<ModuleName, Core>): Lab {
  const modules = [...cores.keys()];
  const routines = labFrom((routine, given) => {
    const module = moduleOf(routine, modules);
    requireModule(routine, module, modules);
    const filled = complete(routine, given);
    return resultOf(routine, filled, cores.get(module)![routine](filled));
  });
  const measureTraces = async (given: unknown): Promise<unknown> => {
    requireModule("measureTraces", "traces", modules);
    return measured(given, async (step, options) => cores.get("traces")![step](options));
  };
  return { ...routines, measureTraces } as unknown as Lab;
}

/** An object with a function for each routine. */
export function labFrom<Result>(
  run: (routine: Routine, given: unknown) => Result,
): Record<Routine, (given: unknown) => Result> {
  const functions = routines.map((routine) => [routine, (given: unknown) => run(routine, given)] as const);
  return Object.fromEntries(functions) as Record<Routine, (given: unknown) => Result>;
}

/** A routine's result in JavaScript's shapes. Throws a ShardlabError where it gave an error. */
export function resultOf(routine: Routine, filled: CompleteOptions, answer: unknown): unknown {
  if (isFailure(answer)) {
    throw errorOf(routine, filled, answer.error);
  }
  return inRows(answer);
}

/** The error in JavaScript's words: `micro_batches` becomes `microBatches` where that is one of the options. */
function errorOf(routine: Routine, filled: CompleteOptions, { parameter, value, rule }: Failure["error"]): ShardlabError {
  const toCamelCase = (word: string): string => {
    const key = word.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    return key in options[routine] ? key : word;
  };
  const key = toCamelCase(parameter);
  return new ShardlabError(key, givenValue(filled[key], value), rule.replace(/\w+/g, toCamelCase), value);
}

/** Numbers and flags as they were given; of texts and arrays, which may be long, the part that C++ names. */
function givenValue(given: CompleteOptions[string] | undefined, named: string): ErrorValue {
  if (given === null) {
    return undefined;
  }
  return typeof given === "number" || typeof given === "boolean" ? given : named;
}
