/** Which keys a control takes for itself, and what the others do. */

const adjusting = /^(Arrow|Page|Home|End)/;

/** Whether a key that is pressed there does something there: then the page around the widget is not to hear of it. */
export function takesKey(target: Element, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || key === "Escape" || key === "Tab") return false;
  if (target.matches("input[type=checkbox], button, summary, a")) return key === " " || key === "Enter";
  if (target.matches("input[type=range], input[type=radio]")) return key === " " || adjusting.test(key);
  if (target.matches("input, select, textarea")) return true;
  return adjusting.test(key) && scrolls(target);
}

function scrolls(target: Element): boolean {
  return target.scrollWidth > target.clientWidth;
}

/** What keys do. */
export interface Keyed {
  can: { undo: boolean; redo: boolean };
  position(): { count: number } | undefined;
  stepTo(step: number): void;
  undo(): void;
  redo(): void;
  reset(): void;
  togglePlay(): void;
  toggleKeys(): void;
  /** @returns whether the key looks more closely at the picture that has the focus */
  magnifyBy(key: string, target: Element): boolean;
}

/** Does what a key does at this place. @returns whether it does anything */
export function shortcut({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent, target: Element, keyed: Keyed): boolean {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "z") {
    const way = shiftKey ? "redo" : "undo";
    const can = keyed.can[way];
    if (can) keyed[way]();
    return can;
  }
  if (ctrlKey || metaKey || altKey || target.matches("input[type=text], textarea, select")) return false;
  const steps = keyed.position();
  const moves = steps !== undefined && steps.count > 0;
  if (keyed.magnifyBy(key, target)) return true;
  if (key === "?") keyed.toggleKeys();
  else if (key === "r" || key === "R") keyed.reset();
  else if (key === " " && moves && !target.matches("button, summary, a, input:not([name=step])")) keyed.togglePlay();
  else if (key === "Home" && moves && !target.matches("input")) keyed.stepTo(0);
  else if (key === "End" && moves && !target.matches("input")) keyed.stepTo(steps.count);
  else return false;
  return true;
}
