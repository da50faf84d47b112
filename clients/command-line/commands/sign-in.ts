import type { Declaration } from '../command.ts';
import { Failed } from '../failed.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from '../invocation.ts';
import { fields, lines, type Field } from '../output/fields.ts';
import type { CheckedSignIn } from '../sign-ins.ts';

type Asked = CheckedSignIn['rules'][number]['asked'][number];

function askedText({ claim, pattern, isMet, hasArrived }: Asked): string {
  const state = isMet ? 'matches' : hasArrived ? 'has another value' : 'did not arrive';
  return `${claim} = ${pattern}: ${state}`;
}

function text({ match, claims, rules }: CheckedSignIn): string {
  const arrived = claims.map(({ name, values }): Field => [name, values?.join(', ') ?? '…']);
  const asked = rules.map(({ name, asked: each }): Field => [name, lines(...each.map(askedText))]);
  return [
    match === null
      ? 'No rule matches'
      : fields([
          ['name', match.name],
          ['rights', match.rights.join(', ')],
          ['queues', match.queues?.join(', ') ?? 'all'],
        ]),
    `Claims that arrived:\n${fields(arrived)}`,
    `What the rules ask for:\n${fields(asked)}`,
  ].join('\n\n');
}

async function check(call: Invocation): Promise<void> {
  const claims = call.text('claims');
  if (claims === undefined) throw new UsageError('--claims is missing');
  const file = call.text('file') ?? call.variables['SIGN_IN_FILE'];
  if (file === undefined) throw new UsageError('--file is missing, and SIGN_IN_FILE is not set');
  const checked = await call.without.signIns.check(claims, file);
  call.answer(checked, text);
  if (checked.match === null) throw new Failed('Nobody with these claims may sign in');
}

export const signInCommand: Declaration = {
  usage: 'sign-in check',
  summary: 'say what the rules of SIGN_IN_FILE make of the claims of a person',
  details:
    'Neither a service nor the issuer is asked. Values are shown of claims that rules ask for. The exit code is 1 when no rule matches.',
  examples: ['sign-in check --claims claims.json --file sign-in.json'],
  options: {
    'claims <file>': 'a JSON object of claims, as in an ID token',
    'file <file>': 'in place of SIGN_IN_FILE',
  },
  run: check,
};
