/** From a routine to its element: `<shardlab-ID>`, with an attribute and a property for each parameter. */

import { attributesFor, flags, settings } from "./author.js";
import { kebab, type Parameter } from "./parameter.js";
import type { Routine } from "./routine.js";
import { Widget } from "./widget.js";

type WidgetClass = new () => Widget;

/** The class of a routine's element. It registers nothing. */
export function widgetClass(routine: Routine): WidgetClass {
  // Files are the reader's: no page's author writes them.
  const written = routine.parameters.filter(({ kind }) => kind !== "files");
  const attributes = written.flatMap(attributesFor);
  class Element extends Widget {
    static override get observedAttributes(): string[] {
      return [...super.observedAttributes, ...attributes, ...settings];
    }

    override readonly routine = routine;

    /** What a page set before the element was defined is set again, now that it is more than a field. */
    override connectedCallback(): void {
      for (const name of properties) upgrade(this, name);
      super.connectedCallback();
    }
  }
  for (const parameter of written) parameterProperty(Element.prototype, parameter);
  for (const setting of settings) if (setting !== "state") settingProperty(Element.prototype, setting);
  const properties = [...written.map(({ name }) => name), ...settings.map(camel), "strings"];
  return Element;
}

/** Read, it is what stands in the control; set, it is what the page's author says, as the attribute is. */
function parameterProperty(prototype: Widget, { name }: Parameter): void {
  if (name in prototype) throw new Error(`A parameter cannot be called ${name}: every element has that already.`);
  Object.defineProperty(prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: Widget): string | number {
      const text = this.state[name] ?? this.getAttribute(kebab(name)) ?? "";
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    },
    set(this: Widget, value: unknown) {
      write(this, kebab(name), value);
    },
  });
}

/** A setting that is there or not is a boolean; the others are texts. */
function settingProperty(prototype: Widget, setting: string): void {
  const isFlag = flags.includes(setting);
  Object.defineProperty(prototype, camel(setting), {
    configurable: true,
    enumerable: true,
    get(this: Widget): string | boolean {
      return isFlag ? this.hasAttribute(setting) : (this.getAttribute(setting) ?? "");
    },
    set(this: Widget, value: unknown) {
      if (isFlag) this.toggleAttribute(setting, Boolean(value));
      else write(this, setting, value);
    },
  });
}

/** Frameworks take a value back by setting nothing. */
function write(element: Widget, attribute: string, value: unknown): void {
  if (value === undefined || value === null) element.removeAttribute(attribute);
  else element.setAttribute(attribute, String(value));
}

function upgrade(element: Widget, name: string): void {
  if (!Object.prototype.hasOwnProperty.call(element, name)) return;
  const one = element as unknown as Record<string, unknown>;
  const value = one[name];
  delete one[name];
  one[name] = value;
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Registers `<shardlab-ID>`. A page that has it already keeps its own; where that is of another version, the console
 * tells of both.
 */
export function define(routine: Routine): void {
  const tag = `shardlab-${routine.id}`;
  if (globalThis.customElements === undefined) return;
  const there = customElements.get(tag) as { version?: string } | undefined;
  if (there === undefined) customElements.define(tag, widgetClass(routine));
  else if (there.version !== Widget.version) {
    console.warn(`<${tag}> is there in version ${there.version}; version ${Widget.version} is not registered.`);
  }
}
