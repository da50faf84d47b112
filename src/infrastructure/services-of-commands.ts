import type { Services } from '../../clients/command-line/services.ts';
import { keepCompiledCode } from './lifecycle/compiled-code.ts';
import { ProcessSignals } from './lifecycle/process-signals.ts';

/** Services as commands start them in this process. */
export const servicesOfCommands: Services = {
  startQstashDev: async () => {
    keepCompiledCode();
    // Listens before the rest is loaded, since a process may be stopped at any moment from its start.
    const signals = new ProcessSignals();
    const { runQstashDev } = await import('./command-line.ts');
    await runQstashDev(signals);
  },
};
