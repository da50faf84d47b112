import type { Application } from '../../../../src/application/application.ts';

/** A use case, or a port, all of whose methods reject with the error. */
export function failing(error: Error): never {
  return new Proxy({}, { get: () => () => Promise.reject(error) }) as never;
}

/** All use cases, each failing with the error, except the limits of callers, which come before any of them. */
export function failingApplication(application: Application, error: Error): Partial<Application> {
  const names = Object.keys(application);
  const { requestLimits } = application;
  return { ...Object.fromEntries(names.map((name) => [name, failing(error)])), requestLimits };
}
