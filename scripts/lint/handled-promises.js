/**
 * A function handles a promise that it has given a name before it waits for anything else, and does not leave that to
 * inner functions, which may never run: a rejection that nobody awaits ends the process. `no-floating-promises` checks
 * statements only. The rule accepts what cannot reject: `.catch(…)`, `.then(…, …)`, `Promise.allSettled`,
 * `Promise.resolve` and a `new Promise` whose executor takes no `reject`. It does not follow promises into fields.
 */
export const handledPromises = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      late: 'If this promise rejects while `await` in line {{line}} waits, nobody handles it',
      elsewhere: 'Only functions that may never run handle this promise',
    },
  },
  create(context) {
    const { parserServices: services } = context.sourceCode;
    return {
      VariableDeclarator(node) {
        if (node.id.type !== 'Identifier' || node.init === null) return;
        if (cannotReject(node.init)) return;
        const scope = context.sourceCode.getScope(node);
        const own = functionOf(node);
        const uses = scope.set
          .get(node.id.name)
          .references.filter((use) => use.isRead() && !isStored(use.identifier))
          .map(({ identifier }) => identifier)
          .filter((identifier) => functionOf(identifier) === own);
        const [first] = uses;
        const between =
          first &&
          awaitsIn(context.sourceCode, own).find((each) => {
            const [start, end] = each.range;
            return start > node.range[1] && end <= first.range[0];
          });
        if (first && between === undefined) return;
        // Types cost most, so that they are asked for last.
        if (!isPromise(services, node.id)) return;
        if (first === undefined) {
          context.report({ node: node.id, messageId: 'elsewhere' });
          return;
        }
        const { line } = between.loc.start;
        context.report({ node: node.id, messageId: 'late', data: { line } });
      },
    };
  },
};

function cannotReject(node) {
  if (node.type === 'AwaitExpression') return true;
  if (node.type === 'NewExpression') return (node.arguments[0]?.params?.length ?? 2) < 2;
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object, property } = node.callee;
  if (object.name === 'Promise') return ['allSettled', 'resolve'].includes(property.name);
  return property.name === 'catch' || (property.name === 'then' && node.arguments.length === 2);
}

/** True for an array of promises, too. */
function isPromise(services, node) {
  const checker = services.program.getTypeChecker();
  const type = services.getTypeAtLocation(node);
  const [element] = checker.isArrayType(type) ? checker.getTypeArguments(type) : [];
  const { types: parts = [element ?? type] } = element ?? type;
  return parts.some((part) => part.getProperty('then') !== undefined);
}

/** Storing a promise in a field does not handle it. */
function isStored({ parent }) {
  return parent.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression';
}

function functionOf(node) {
  for (let each = node.parent; each !== null; each = each.parent) {
    if (/Function|^Program$|^StaticBlock$/.test(each.type)) return each;
  }
  return undefined;
}

function awaitsIn({ visitorKeys }, own) {
  const found = [];
  const visit = (node) => {
    if (node !== own && /Function/.test(node.type)) return;
    if (node.type === 'AwaitExpression') found.push(node);
    for (const key of visitorKeys[node.type] ?? []) {
      for (const child of [node[key]].flat()) if (child) visit(child);
    }
  };
  visit(own);
  return found;
}
