import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CLIENTS = join(import.meta.dirname, '../../clients');

/** What methods are called on, and the files that have them, without their extension and with `-` between words. */
const OBJECTS: readonly (readonly [on: string, file: string, file: string])[] = [
  ['jobgate', 'jobgate', 'client'],
  ['jobgate.workers', 'workers', 'workers'],
  ['jobgate.hooks', 'hooks', 'hooks'],
  ['jobgate.limits', 'limits', 'limits'],
  ['jobgate.topic(name)', 'topic', 'topic'],
  ['queue', 'queue', 'queue'],
  ['queue.schedulers', 'schedulers', 'schedulers'],
  ['queue.groups', 'groups', 'groups'],
  ['queue.policy', 'policy', 'policy'],
  ['queue.job(id)', 'job-handle', 'job_handle'],
];

/** The names of all methods of a client, as a table in Markdown for its README. */
export function clientMethods(client: 'typescript' | 'python'): string {
  const rows = OBJECTS.map(([on, script, module]) => {
    const names =
      client === 'typescript'
        ? namesIn(`typescript/src/${script}.ts`, /^ {2}(?:async )?([a-z]\w*)(?:<\w+.*>)?\(/gm)
        : namesIn(`python/src/jobgate/blocking/${module}.py`, /^ {4}def ([a-z]\w*)\(/gm);
    return `| \`${on}\` | ${names.map((name) => `\`${name}\``).join(', ')} |`;
  });
  return ['| On | Methods |', '| --- | --- |', ...rows].join('\n');
}

function namesIn(path: string, method: RegExp): readonly string[] {
  const source = readFileSync(join(CLIENTS, path), 'utf8');
  const names = [...source.matchAll(method)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => name !== 'constructor');
}
