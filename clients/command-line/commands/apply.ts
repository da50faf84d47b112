import { YES, type Declaration } from '../command.ts';
import { Failed } from '../failed.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from '../invocation.ts';
import { counted } from '../../rules/counted.ts';
import { nameOnly, without } from '../settings/setting-set.ts';
import type { SettingsRun } from '../settings/settings-run.ts';

/** The exit codes of a run with settings that are refused, and of a dry run that finds differences. */
const [REFUSED, DIFFERS] = [2, 3];

/** The set that remembers the settings of files unless another is named. */
const DEFAULT_SET = 'default';

export const applyCommand: Declaration = {
  usage: 'apply <file>...',
  summary: 'store policies, workers, schedulers, groups, hooks and topics of files',
  details:
    'Reads YAML or JSON documents as jobgate export prints them, - for standard input, has the service check them, shows what differs, and stores that. Settings that are refused are listed, and the exit code is 2. Values of headers and secrets are no differences; a setting that differs is stored with the values of the file. Prints the secret that a new worker, hook or signed policy gets. The service remembers in a set which settings the files have; with --prune, those that earlier files of the set had are removed.',
  examples: [
    'apply settings.yaml --dry-run',
    'apply policies.yaml workers.yaml',
    'apply billing.yaml --set billing --prune --yes',
  ],
  options: {
    'dry-run':
      'only show what differs and what is refused; the exit code is 3 when anything differs and nothing is refused',
    prune: 'remove the settings of the set that the files no longer have',
    'set <name>': `set that remembers the settings (${DEFAULT_SET})`,
    ...YES,
  },
  run: async (call) => {
    if (call.has('yes') && !call.has('prune'))
      throw new UsageError('--yes needs --prune: nothing else asks for confirmation');
    // These read YAML, which no other command needs.
    const [{ settingsOf }, { SettingsRun: Run }] = await Promise.all([
      import('../settings/read-settings.ts'),
      import('../settings/settings-run.ts'),
    ]);
    const settings = settingsOf(call.names);
    const run = new Run(call, settings, call.text('set') ?? DEFAULT_SET);
    await run.compare(call.has('prune'));
    if (!call.has('dry-run')) {
      const removed = counted(run.removals.length, 'setting');
      const question = `Remove ${removed} that the files no longer have?`;
      if (run.removals.length > 0 && !(await call.isWanted(question))) return;
      await run.store();
    }
    finish(call, settings.length, run);
  },
};

function finish(call: Invocation, total: number, run: SettingsRun): void {
  const { changes, removals, refusals, secrets } = run;
  const isDry = call.has('dry-run');
  const answer = {
    total,
    changes: changes.map(({ setting, ...change }) => ({ ...nameOnly(setting), ...change })),
    removals,
    refused: refusals,
    stored: !isDry,
    secrets,
  };
  const changed = changes.map(({ setting }) => setting);
  const differ = without(changed, refusals).length;
  const leave = without(removals, refusals).length;
  call.answer(answer, () => {
    if (changes.length + removals.length + refusals.length === 0)
      return `Nothing differs in ${counted(total, 'setting')}`;
    if (isDry) return 'Nothing was stored';
    return `Stored ${differ} of ${total} settings${leave > 0 ? `, removed ${leave}` : ''}`;
  });
  if (refusals.length > 0)
    throw new Failed(`${counted(refusals.length, 'setting')} refused`, REFUSED);
  if (!isDry || differ + leave === 0) return;
  const pruned = leave > 0 ? `, ${leave} to remove` : '';
  throw new Failed(`${differ} of ${total} settings differ${pruned}`, DIFFERS);
}
