import type { Endpoint } from '../calls/endpoint.ts';
import type { Hook } from './hook.ts';

/** How long (ms) a receiver may take. */
const TIMEOUT = 10_000;

/** The receiver of a hook: any status of success is one, and redirects are failures. */
export function hookEndpoint({ url, headers, signing, secrets }: Hook): Endpoint {
  return {
    url,
    method: 'post',
    timeout: TIMEOUT,
    success: ['200-299'],
    signing,
    ...(headers && { headers }),
    ...(secrets && { secrets }),
  };
}
