/** The texts that a widget's sources say, as catalogues have them. Read from the sources, so that none is forgotten. */

import { readFileSync } from "node:fs";
import ts from "typescript";

/** What describes a widget: these properties are shown, each through `word`. */
const described = new Set(["title", "claim", "tryNext", "label", "description", "because", "text"]);
/** Where such a property is no text of a widget: a source's title, a file, what stands on a page and in no widget, what is copied. */
const elsewhere = /\/((allowance-)?sources|sizing|embed-dialog\/snippets|course\/.*|tests-view\/.*|words\/.*)\.ts$/;

const calls = { word: (text) => [text], marked: (text) => [text], rule: (text) => [text], plural: (text) => [`{0} ${text}`], counted: (text) => [`{0} ${text}`] };

/** @returns the texts of a source: said by a call or an error, and described by data */
export function textsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);
  const found = { said: new Set(), described: new Set() };
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "say") found.said.add(keyOf(node.template));
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text in calls) {
      const { text } = node.expression;
      const argument = node.arguments[text === "plural" || text === "counted" ? 1 : 0];
      const [sense] = text === "word" ? literalsOf(node.arguments[1]) : [];
      for (const literal of literalsOf(argument).map((one) => (sense === undefined ? one : `${one} (${sense})`))) for (const key of calls[text](literal)) found.said.add(key);
    }
    if (ts.isNewExpression(node) && node.expression.getText() === "InputError") {
      for (const key of rulesOf(node.arguments[2])) found.said.add(key);
    }
    if (ts.isPropertyAssignment(node) && described.has(node.name.getText()) && !elsewhere.test(file)) {
      for (const literal of literalsOf(node.initializer)) if (/\p{L}/u.test(literal)) found.described.add(literal);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `Step {0} of {1}`, of a template. */
function keyOf(template) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.head.text + template.templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`).join("");
}

/** The rule that an input breaks, where it is written at its error. */
function rulesOf(node) {
  return ts.isTemplateExpression(node) ? [keyOf(node)] : literalsOf(node);
}

/** The texts that an expression may be: one, or one of two. */
function literalsOf(node) {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (ts.isParenthesizedExpression(node)) return literalsOf(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [literalsOf(node.left), literalsOf(node.right)];
    return left.length === 1 && right.length === 1 ? [left[0] + right[0]] : [];
  }
  return [];
}
