// Stands first on each page that is tested: keeps what a good page never says, in every browser alike.
globalThis.trouble = [];
for (const kind of ["log", "info", "warn", "error", "debug", "trace", "assert"]) {
  console[kind] = (...said) => globalThis.trouble.push(`console ${kind}: ${said.join(" ")}`);
}
// Resources that failed to load are told to the capturing phase only.
addEventListener("error", ({ message, target }) => globalThis.trouble.push(message ?? `not loaded: ${target.src ?? target.href}`), true);
addEventListener("unhandledrejection", ({ reason }) => globalThis.trouble.push(`unhandled: ${reason}`));
addEventListener("securitypolicyviolation", ({ violatedDirective }) => globalThis.trouble.push(`refused: ${violatedDirective}`));
