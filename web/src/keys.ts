/** Which keys a control takes for itself. */

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
