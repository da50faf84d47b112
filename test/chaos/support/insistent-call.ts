import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceProcess } from '../../support/service-process.ts';
import type { Replicas } from './replicas.ts';

/** Time after which a call without an answer is given up and made to another replica, in milliseconds. */
const PATIENCE = 2500;

/** Pause after a call that was not carried out, in milliseconds. */
const PAUSE = 50;

/** What a call was answered with, once it was carried out or refused for good. */
export interface FinalAnswer {
  readonly status: number;
  readonly text: string;
}

/** Makes a call through one replica after the other, until one answers with another status than 5xx. */
export async function callInsistently(
  replicas: Replicas,
  method: string,
  path: string,
  body?: unknown,
  token: string = ServiceProcess.token,
): Promise<FinalAnswer> {
  for (;;) {
    const answer = await fetch(replicas.next.url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE),
    }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => undefined,
    );
    if (answer !== undefined && answer.status < 500) return answer;
    await sleep(PAUSE);
  }
}
