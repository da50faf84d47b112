import type { RestClient } from './rest-client.ts';
import type { Screen } from './screen.ts';
import { QUEUE } from './tour.ts';

/**
 * Commands to paste into another terminal, with the address and token of this very service.
 *
 * @param nextId the id that the next job gets.
 */
export function printNextSteps({ url, token }: RestClient, screen: Screen, nextId: number): void {
  const curl = (path: string, more = ''): string =>
    `curl -H 'Authorization: Bearer ${token}' ${more}'${url}${path}'`;
  const job = JSON.stringify([{ name: 'welcome', data: { to: 'you@example.com' } }]);
  const jobs = `/queues/${QUEUE}/jobs`;
  const steps = [
    ['Add a job and watch it here', curl(jobs, `-d '${job}' `)],
    ['Read it, with the id of the answer', curl(`${jobs}/${nextId}`)],
    ['List the jobs that completed or failed', curl(`${jobs}?statuses=completed,failed`)],
    ['Read what its endpoint logged', curl(`${jobs}/${nextId}/logs`)],
    ['List the workers', curl('/workers')],
  ] as const;

  screen.title('Now it is your turn. Sign in to the dashboard with the token of this demo:');
  screen.line(`${url}/dashboard`);
  screen.line(token);
  screen.title('Or, in another terminal:');
  for (const [what, command] of steps) {
    screen.faint(`# ${what}`);
    screen.line(command);
  }
  screen.title('jobgate stays up until you press Ctrl-C.');
  screen.line();
}
