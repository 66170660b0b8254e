/** Brackets that a source of JavaScript leaves open. The interpreter says only where it could read no further. */

/** What is open, in a sentence with its line, and the source as it would be with that closed. */
export interface Unclosed {
  sentence: string;
  closed: string;
}

interface Bracket {
  sign: string;
  line: number;
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "${": "}" };

/** What a source is made of. Brackets that are quoted or in a comment mean nothing. */
const piece = new RegExp(
  [
    String.raw`(?<skipped>\s+|//.*|/\*[^]*?\*/)`,
    String.raw`(?<quoted>"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')`,
    String.raw`(?<word>[\p{L}\p{N}_$]+)`,
    "(?<sign>[^])",
  ].join("|"),
  "yu",
);
/** A regular expression. */
const pattern = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
/** Of a template, up to its end or to a value in it. */
const literal = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y;

/** A slash behind these begins a regular expression. */
const opensValue = /^(?:return|typeof|case|in|of|do|else|void|delete|throw|new|instanceof|yield|await|[^)\]}\p{L}\p{N}_$"'`].*|)$/su;

/** @returns nothing where every bracket is closed, and where something else is wrong */
export function unclosed(text: string): Unclosed | undefined {
  return new Reader(text).read();
}

class Reader {
  private readonly open: Bracket[] = [];
  private at = 0;
  private line = 1;
  /** what a slash stands behind */
  private before = "";

  constructor(private readonly text: string) {}

  read(): Unclosed | undefined {
    while (this.at < this.text.length) {
      if (this.takePattern()) continue;
      const { at } = this;
      const { skipped, quoted, word, sign } = this.take(piece)!.groups!;
      if (skipped !== undefined) continue;
      this.before = quoted ?? word ?? sign!;
      if (sign === "`" && !this.takeLiteral()) return undefined;
      if (sign === "(" || sign === "[" || sign === "{") this.open.push({ sign, line: this.line });
      if (sign !== ")" && sign !== "]" && sign !== "}") continue;
      const last = this.open.pop();
      if (last === undefined) return undefined;
      if (closing[last.sign] !== sign) return this.crossed([...this.open, last], at, sign);
      if (last.sign === "${" && !this.takeLiteral()) return undefined;
    }
    return this.open.length === 0 ? undefined : this.ended();
  }

  /** Moves over what has this shape here. */
  private take(shape: RegExp): RegExpExecArray | null {
    shape.lastIndex = this.at;
    const found = shape.exec(this.text);
    this.at += found?.[0].length ?? 0;
    this.line += (found?.[0].split("\n").length ?? 1) - 1;
    return found;
  }

  private takePattern(): boolean {
    const next = this.text.slice(this.at, this.at + 2);
    if (!/^\/[^/*]/.test(next) || !opensValue.test(this.before) || this.take(pattern) === null) return false;
    this.before = '"';
    return true;
  }

  /** A template, or the rest of one behind a value: whether it has an end. */
  private takeLiteral(): boolean {
    const found = this.take(literal);
    if (found?.[0].endsWith("${")) this.open.push({ sign: "${", line: this.line });
    this.before = found?.[0].endsWith("${") ? "" : '"';
    return found !== null;
  }

  private ended(): Unclosed {
    const [first] = this.open;
    const missing = closersOf(this.open);
    return {
      sentence: `line ${first!.line}: SyntaxError: the ${first!.sign} of this line is never closed: ${missing} is missing, at the end or before`,
      closed: `${this.text}\n${missing}`,
    };
  }

  /** A closing bracket of one that is further out. */
  private crossed(open: readonly Bracket[], at: number, sign: string): Unclosed | undefined {
    const inner = open.slice(open.map((one) => closing[one.sign]).lastIndexOf(sign) + 1);
    if (inner.length === open.length) return undefined;
    const { line, sign: opened } = inner[0]!;
    const where = line === this.line ? "behind it" : `of line ${this.line}`;
    return {
      sentence: `line ${line}: SyntaxError: the ${opened} of this line is not closed before the ${sign} ${where}`,
      closed: this.text.slice(0, at).replace(/;\s*$|$/, (end) => closersOf(inner) + end) + this.text.slice(at),
    };
  }
}

function closersOf(open: readonly Bracket[]): string {
  return open.map(({ sign }) => closing[sign]!).reverse().join("");
}
