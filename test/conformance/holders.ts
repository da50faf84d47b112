import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const TESTS = join(import.meta.dirname, '..');
const MARK = /\/\/ holds: (.+)$/;

/** A test that says which rules it holds, or a row of the table that a test goes through. */
export interface Holder {
  /** The path of its file from `test/`, such as `e2e/service/jobs.ts`. */
  readonly file: string;
  /** As it stands in the source: that of a table-driven test is a pattern, such as `refuses ${query}`. */
  readonly title: string;
  /** The ids in the comment `holds:` right above it. */
  readonly rules: readonly string[];
}

/**
 * All that say which rules they hold, by path and in the order of the source.
 * @throws Error if such a comment stands above something else, where it would go unread.
 */
export function allHolders(): Holder[] {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => holdersIn(file, readFileSync(join(TESTS, file), 'utf8')));
}

function holdersIn(file: string, text: string): Holder[] {
  const marks = text.split('\n').filter((line) => MARK.test(line));
  if (marks.length === 0) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const holders: Holder[] = [];
  const visit = (node: ts.Node): void => {
    const rules = isHolder(node) ? rulesAbove(node, text) : [];
    if (rules.length > 0) holders.push({ file, title: titleOf(node), rules });
    ts.forEachChild(node, visit);
  };
  visit(source);
  const found = holders.flatMap(({ rules }) => rules);
  if (found.length === marks.flatMap(rulesOf).length) return holders;
  throw new Error(
    `${file}: a comment "holds" is neither above a test nor above a row of its table`,
  );
}

function isHolder(node: ts.Node): boolean {
  return isTest(node) || (ts.isExpression(node) && ts.isArrayLiteralExpression(node.parent));
}

function isTest(node: ts.Node): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'it'
  );
}

function rulesAbove(node: ts.Node, text: string): string[] {
  const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  return comments.flatMap(({ pos, end }) => rulesOf(text.slice(pos, end)));
}

function rulesOf(comment: string): string[] {
  return MARK.exec(comment)?.[1]?.split(', ') ?? [];
}

function titleOf(node: ts.Node): string {
  const title = isTest(node) ? node.arguments[0] : undefined;
  if (title === undefined) return node.getText().replace(/\s+/g, ' ');
  if (ts.isStringLiteralLike(title)) return title.text;
  return ts.isTemplateExpression(title) ? title.getText().slice(1, -1) : title.getText();
}
