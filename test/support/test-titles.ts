import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * The titles of the tests in a source file, as they stand there: that of a table-driven test is a
 * pattern such as `refuses ${query}`.
 */
export function testTitles(path: string): ReadonlySet<string> {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    const title = isTest(node) ? titleOf(node, source) : undefined;
    if (title !== undefined) titles.add(title);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

function isTest(node: ts.Node): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'it'
  );
}

function titleOf({ arguments: [title] }: ts.CallExpression, source: ts.SourceFile) {
  if (title === undefined) return undefined;
  if (ts.isStringLiteralLike(title)) return title.text;
  return ts.isTemplateExpression(title) ? title.getText(source).slice(1, -1) : undefined;
}
