import type { Declaration } from '../command.ts';
import { storedSettings } from '../settings/stored-settings.ts';

export const exportCommand: Declaration = {
  usage: 'export',
  summary: 'print policies, workers, schedulers, groups, hooks and topics as YAML',
  details:
    'Prints one document for each setting, with the body of the API as its spec. Secrets are left out, and the values of headers are null. Needs the rights read, data and configure: without data, the data of schedulers is missing; without configure, URLs are only origins.',
  examples: ['export > settings.yaml'],
  run: async (call) => {
    const settings = await storedSettings(call);
    const { rights } = await call.jobgate.whoami();
    if (!rights.some((right) => right === 'configure' || right === 'admin')) {
      call.terminal.report('URLs are only origins: the token lacks the right configure');
    }
    const { yamlOf } = await import('../settings/yaml.ts');
    call.answer(settings, (all) =>
      all.length === 0 ? '# There are no settings' : yamlOf(all).trimEnd(),
    );
  },
};
