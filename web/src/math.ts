/** Formulas, written as text in the routines, as MathML. */

import { html, mathml, type TemplateResult } from "lit";

type Markup = ReturnType<typeof mathml>;

/** A part of a formula; one in parentheses is shown without them where a fraction's line does their work. */
interface Part {
  markup: Markup;
  bare?: Markup;
}

const shapes = {
  /** "7 000 000", "1.5·10⁻⁵", "−" being a sign of its own; with a unit: "8 B", "50 GB/s", "42.9 %" */
  number: /\d[\d\u202f]*(?:\.\d+)?(?:e\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?:[\u00a0 ](?:[A-Za-zµ]{2,}|B|s|%)(?:\/s)?(?![₀-₉A-Za-z]))?×?/y,
  name: /[A-Za-zΨα-ω\p{Script=Han}][A-Za-z\p{Script=Han}]*[₀-₉ᵢⱼ]*|[…–]/uy,
  sign: /[-+−·/()⌈⌉|Σ×,]/y,
};

/**
 * The parts of an equation, joined by equals signs. What is no formula is set as the words it is. Each term is a
 * formula of its own, so that a line can end between them.
 */
export function equation(parts: readonly string[]): TemplateResult {
  return html`<span class="formula" role="math" aria-label=${parts.join(" = ")}>${parts.map((part, index) => {
    const lead = index === 0 ? "" : "=";
    const style = index > 0 && index === parts.length - 1 ? "result" : "";
    return terms(part).map(
      (term, at) => html`<math class=${style}><mrow>${at === 0 && lead !== "" ? operator(lead) : ""}${term}</mrow></math> `,
    );
  })}</span>`;
}

function operator(sign: string): Markup {
  return mathml`<mo form="infix">${sign}</mo>`;
}

function terms(text: string): Markup[] {
  const tokens = /[a-z]{2,} [a-z]{2,}/.test(text) ? undefined : tokenise(text);
  const reader = tokens && new Reader(tokens);
  const found = reader?.terms();
  return found === undefined || !reader!.atEnd ? [mathml`<mtext>${text}</mtext>`] : found;
}

interface Token {
  kind: keyof typeof shapes;
  text: string;
}

function tokenise(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at += 1;
      continue;
    }
    const token = tokenAt(text, at);
    if (token === undefined) return undefined;
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(text: string, at: number): Token | undefined {
  for (const kind of ["number", "name", "sign"] as const) {
    const shape = shapes[kind];
    shape.lastIndex = at;
    const found = shape.exec(text);
    if (found !== null) return { kind, text: found[0] };
  }
  return undefined;
}

const closing: Readonly<Record<string, string>> = { "(": ")", "⌈": "⌉", "|": "|" };

/** Reads sums of products of factors; anything else gives nothing. */
class Reader {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get atEnd(): boolean {
    return this.at === this.tokens.length;
  }

  private next(...signs: string[]): string | undefined {
    const token = this.tokens[this.at];
    return token?.kind === "sign" && signs.includes(token.text) ? token.text : undefined;
  }

  /** The terms of a sum, each but the first with its sign. */
  terms(): Markup[] | undefined {
    const first = this.product();
    if (first === undefined) return undefined;
    const found = [first.markup];
    for (let sign = this.next("+", "−"); sign !== undefined; sign = this.next("+", "−")) {
      this.at += 1;
      const term = this.product();
      if (term === undefined) return undefined;
      found.push(mathml`<mrow>${operator(sign)}${term.markup}</mrow>`);
    }
    return found;
  }

  private sum(): Part | undefined {
    const found = this.terms();
    return found && { markup: mathml`<mrow>${found}</mrow>` };
  }

  /** A sum, or the arguments of a function. */
  private list(): Part | undefined {
    let found = this.sum();
    while (found !== undefined && this.next(",") !== undefined) {
      this.at += 1;
      const more = this.sum();
      found = more && { markup: mathml`<mrow>${found.markup}<mo>,</mo>${more.markup}</mrow>` };
    }
    return found;
  }

  private product(): Part | undefined {
    let left = this.factor();
    while (left !== undefined && !this.atEnd && this.next("+", "−", ")", "⌉", "|", ",") === undefined) {
      const sign = this.next("·", "/", "×");
      if (sign !== undefined) this.at += 1;
      const right = this.factor();
      if (right === undefined) return undefined;
      left =
        sign === "/"
          ? { markup: mathml`<mfrac>${row(left)}${row(right)}</mfrac>` }
          : { markup: mathml`<mrow>${left.markup}${sign === undefined ? mathml`<mspace width="0.2em" />` : mathml`<mo>${sign}</mo>`}${right.markup}</mrow>` };
    }
    return left;
  }

  private factor(): Part | undefined {
    const token = this.tokens[this.at];
    if (token === undefined) return undefined;
    this.at += 1;
    if (token.kind === "number") return { markup: number(token.text) };
    if (token.kind === "name") return { markup: name(token.text) };
    if (token.text === "−" || token.text === "Σ") {
      const of = this.factor();
      return of && { markup: mathml`<mrow><mo>${token.text}</mo>${of.markup}</mrow>` };
    }
    const end = closing[token.text];
    if (end === undefined) return undefined;
    const inside = this.list();
    if (inside === undefined || this.next(end) === undefined) return undefined;
    this.at += 1;
    const markup = mathml`<mrow><mo>${token.text}</mo>${inside.markup}<mo>${end}</mo></mrow>`;
    return token.text === "(" ? { markup, bare: inside.markup } : { markup };
  }
}

function row({ markup, bare }: Part): Markup {
  return mathml`<mrow>${bare ?? markup}</mrow>`;
}

function number(text: string): Markup {
  const [, digits, unit] = /^(.*?)(?:[\u00a0 ](.+))?$/.exec(text)!;
  return unit === undefined
    ? mathml`<mn>${digits}</mn>`
    : mathml`<mrow><mn>${digits}</mn><mspace width="0.25em" /><mtext>${unit}</mtext></mrow>`;
}

/** One letter is a quantity, a longer name stands upright; what is set low stands below. */
function name(text: string): Markup {
  const [, letters, low] = /^(.+?)([₀-₉ᵢⱼ]*)$/.exec(text)!;
  const base = mathml`<mi>${letters}</mi>`;
  if (low === "") return base;
  const index = low!.replace(/./g, (one) => "0123456789ij"["₀₁₂₃₄₅₆₇₈₉ᵢⱼ".indexOf(one)]!);
  return mathml`<msub>${base}<mi>${index}</mi></msub>`;
}
