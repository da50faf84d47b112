import ts from 'typescript';

/** Lines with nothing else are not counted: a formatter decides where they are. */
const LONE = /^[\s()[\]{}<>;,/]*$/;

/**
 * How many lines of a TypeScript file have code: neither blank ones nor comments, imports or lone brackets count, so that
 * thinner comments and another formatter change nothing.
 */
export function codeLinesOfTypeScript(path: string, text: string): number {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const code: string[] = text.split('\n').map(() => '');
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const children = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
    if (children.length > 0) {
      children.forEach(visit);
      return;
    }
    const start = node.getStart(file);
    const first = file.getLineAndCharacterOfPosition(start).line;
    for (const [index, line] of text.slice(start, node.end).split('\n').entries()) {
      code[first + index] = (code[first + index] ?? '') + line;
    }
  };
  visit(file);
  return code.filter((line) => !LONE.test(line)).length;
}

/** The same of a Lua file. A long comment or string that holds two hyphens would be counted wrong: there is none. */
export function codeLinesOfLua(text: string): number {
  const lines = text.split('\n').map((line) => line.replace(/--.*$/, ''));
  return lines.filter((line) => !LONE.test(line)).length;
}
