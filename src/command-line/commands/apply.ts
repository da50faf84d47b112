import type { Command } from '../command.ts';
import { Failed } from '../failed.ts';
import type { Invocation } from '../invocation.ts';
import { counted } from '../output/fields.ts';
import { cut } from '../output/width.ts';
import type { Change } from '../settings/change.ts';
import type { Difference } from '../settings/differences.ts';

/** The exit code of a dry run that finds differences. */
const DIFFERS = 2;

/** Longest value that is shown of a field. */
const VALUE = 60;

function linesOf({ isNew, fields }: Change, name: string): string {
  const head = `${name}: ${isNew ? 'new' : 'changed'}`;
  return [head, ...fields.map((field) => `  ${inWords(field, isNew)}`)].join('\n');
}

function inWords({ field, from, to }: Difference, isNew: boolean): string {
  return isNew ? `${field}: ${shown(to)}` : `${field}: ${shown(from)} -> ${shown(to)}`;
}

function shown(value: unknown): string {
  return value === undefined ? '(none)' : cut(JSON.stringify(value), VALUE);
}

export const applyCommand: Command = {
  name: 'apply',
  takes: '<file>...',
  count: [1, Infinity],
  summary: 'store policies, workers, schedulers, groups and hooks of files',
  details:
    'Reads YAML or JSON documents as jobgate export prints them, - for standard input, shows what differs, and stores that. Values of headers and secrets are no differences; a setting that differs is stored with the values of the file. Prints the secret that a new worker or hook gets.',
  examples: ['apply settings.yaml --dry-run', 'apply policies.yaml workers.yaml'],
  options: {
    'dry-run': { meaning: 'only show what differs; the exit code is 2 when anything does' },
  },
  run: async (call) => {
    // Both read YAML, which no other command needs.
    const [{ nameOf, settingsOf }, { changesFor, store }] = await Promise.all([
      import('../settings/read-settings.ts'),
      import('../settings/change.ts'),
    ]);
    const settings = settingsOf(call.names);
    const isText = !call.has('json');
    const all: Change[] = [];
    const secrets: { readonly of: string; readonly secret: string }[] = [];
    const find = async (among: typeof settings): Promise<readonly Change[]> => {
      const changes = await changesFor(call, among);
      all.push(...changes);
      if (isText)
        for (const each of changes) call.terminal.print(linesOf(each, nameOf(each.setting)));
      return changes;
    };
    const change = async (changes: readonly Change[]): Promise<void> => {
      for (const { setting } of changes) {
        const secret = await store(call, setting);
        if (secret === undefined) continue;
        secrets.push({ of: nameOf(setting), secret });
        if (isText) call.terminal.print(`Secret of the ${nameOf(setting)}: ${secret}`);
      }
    };
    const changes = await find(settings);
    if (!call.has('dry-run')) {
      await change(changes);
      // The jobs of a scheduler have the defaults of the policy of its queue when it is stored.
      if (changes.some(({ setting }) => setting.kind === 'policy'))
        await change(await find(settings.filter(({ kind }) => kind === 'scheduler')));
    }
    finish(call, settings.length, all, secrets);
  },
};

function finish(
  call: Invocation,
  total: number,
  changes: readonly Change[],
  secrets: readonly object[],
): void {
  const isDry = call.has('dry-run');
  const differing = changes.map(({ setting: { kind, queue, id }, isNew, fields }) => {
    return { kind, queue, id, isNew, fields };
  });
  call.answer({ total, changes: differing, stored: !isDry, secrets }, () => {
    if (changes.length === 0) return `Nothing differs in ${counted(total, 'setting')}`;
    return isDry ? 'Nothing was stored' : `Stored ${changes.length} of ${total} settings`;
  });
  if (isDry && changes.length > 0)
    throw new Failed(`${changes.length} of ${total} settings differ`, DIFFERS);
}
