import type { AttemptObserver } from '../../src/application/ports/attempt-observer.ts';

export const unobserved: AttemptObserver = { observe: () => undefined };
