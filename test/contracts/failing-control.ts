import type { JobControlPort } from '../../src/application/ports/job-control-port.ts';

/** A control of which all actions fail after the first `made`. */
export function failingAfter(made: number, error: Error, control: JobControlPort): JobControlPort {
  let actions = 0;
  return new Proxy(control, {
    get: (target, name) => {
      const method = target[name as 'removeAlone'].bind(target);
      if (name === 'bringTogether') return method;
      return (...given: Parameters<typeof method>) => {
        actions += 1;
        return actions > made ? Promise.reject(error) : method(...given);
      };
    },
  });
}
