import { operationRows } from './described-operations.ts';

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

/** The tags whose routes are listed, with the pages that explain them. */
const PAGES: Readonly<Record<string, string>> = {
  Jobs: '[jobs](jobs.md), [fetching them](pull.md), [control](control.md#single-jobs)',
  Flows: '[flows](flows.md)',
  Queues: '[control](control.md), [policies](jobs.md#policies), [demand](autoscaling.md)',
  Groups: '[groups](groups.md)',
  Schedulers: '[schedulers](schedulers.md)',
  Workers: '[workers](workers.md)',
  Hooks: '[hooks](hooks.md)',
  Limits: '[shared limits](limits.md)',
  Topics: '[topics](topics.md)',
  Settings: '[settings as files](control.md#settings-as-files)',
  Events: '[events](events.md)',
  Access: '[tokens and rights](access.md)',
  Assistants: '[tools for language models](mcp.md)',
  Health: '[watching](production.md#watching), [backups](deployment.md#backups)',
  Metrics: '[metrics](metrics.md)',
};

/** What is needed in place of a right. */
const WITHOUT_RIGHT: Readonly<Record<string, string>> = {
  apiToken: 'any token',
  jobToken: 'job token',
  ticket: 'ticket',
};

/**
 * Every route by its tag, with the right that it needs, the action that the audit records, and what it does, as lists
 * in Markdown.
 *
 * @param text the OpenAPI document.
 */
export function routesList(text: string): string {
  const { paths } = JSON.parse(text) as Document;
  const actions = new Map(operationRows.map(({ id, action }) => [id, action]));
  const routes = Object.keys(paths)
    .sort()
    .flatMap((path) =>
      Object.entries(paths[path] ?? {}).map(([method, described]) => {
        const action = actions.get(described.operationId);
        const call = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
        return { ...described, action, line: lineOf(call, action, described) };
      }),
    );
  const parts = Object.entries(PAGES).flatMap(([name, pages]) => {
    const lines = routes.filter(({ tags: [tag] }) => tag === name).map(({ line }) => line);
    return [`### ${name}`, `See ${pages}.`, lines.join('\n')];
  });
  const audited = new Set(routes.map(({ action }) => action));
  const others = operationRows.filter(({ action }) => action !== undefined && !audited.has(action));
  const named = others.map(({ action, access }) => `\`${action}\` (\`${access}\`)`);
  const actionsOfOthers = [...new Set(named)].join(', ');
  const alone = `[SQS](sqs.md) and [QStash](qstash.md) alone have the actions ${actionsOfOthers}.`;
  return [...parts, '### SQS and QStash', alone].join('\n\n');
}

function lineOf(call: string, action: string | undefined, described: Described): string {
  const { summary, security } = described;
  const terms = [accessOf(security), ...(action === undefined ? [] : [`\`${action}\``])];
  return `- \`${call}\` (${terms.join(', ')}): ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
}

function accessOf(security: Described['security']): string {
  const choices = security.flatMap((schemes) =>
    Object.entries(schemes).map(
      ([scheme, rights]) =>
        rights.map((right) => `\`${right}\``).join(' with ') || WITHOUT_RIGHT[scheme],
    ),
  );
  return choices.join(' or ') || 'no token';
}
