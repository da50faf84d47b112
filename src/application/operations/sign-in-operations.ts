import { entitled } from '../../domain/access/visible.ts';
import { targetShape } from '../../domain/access/sign-in.ts';
import { string, nullable, object, optional, required } from '../../domain/values/shape.ts';
import type { Sessions } from '../access/sessions.ts';
import type { Person, SignIn } from '../access/sign-in.ts';
import { given } from './input.ts';
import { operation, plainOperation } from './operation.ts';
import { textOption } from './options.ts';
import { answers, content } from './out.ts';

const signOutAnswer = object('SignOut', {
  url: required(
    nullable(string),
    'Where to go to end the sign-in at the issuer too; null when that is unknown',
  ),
});

/** People who sign in (further contract, section 25). */
export function signInOperations(signIn: SignIn, sessions: Sessions) {
  return {
    beginSignIn: operation({
      access: 'nothing',
      summary: 'Sign a person in at the issuer of SIGN_IN_FILE',
      description:
        'For browsers. 404 without SIGN_IN_FILE or with DASHBOARD=off. The person has 10 minutes, ' +
        'and one try.',
      in: {
        to: textOption(
          optional(targetShape, 'Where the person goes then; the dashboard unless given'),
        ),
      },
      out: content('Redirects to the issuer'),
      errors: ['no-sign-in', 'issuer-unavailable'],
      perform: ({ to }, { address }) => signIn.begin(to, address),
    }),
    finishSignIn: operation({
      access: 'nothing',
      summary: 'Open the session of a person whom the issuer sends back',
      description:
        'The redirect URI to register there. The session lasts 8 hours at most. A person whom no ' +
        'rule matches sees which claims arrived, and what each rule asks for.',
      in: { answer: given<string>(), secret: given<string | undefined>() },
      out: content('Redirects to where the person wanted to go'),
      errors: ['forbidden', 'no-sign-in', 'issuer-unavailable'],
      perform: ({ answer, secret }) => signIn.identify(answer, secret),
    }),
    /** The second half of that: who it is, is known by then. */
    openPersonSession: plainOperation({
      access: 'any-token',
      action: 'session.create',
      perform: ({ person }: { readonly person: Person }, { address }) =>
        sessions.openFor(person, address),
      report: { line: 'Signed in' },
    }),
    signOut: operation({
      access: 'any-token',
      action: 'session.delete',
      summary: 'Sign out: end the session of the request, and learn where to end it at the issuer',
      description: 'For sessions of people. 404 with DASHBOARD=off or without SIGN_IN_FILE.',
      in: {},
      out: answers(signOutAnswer, 'The session has ended'),
      errors: ['no-sign-in', 'session-not-found'],
      perform: async (_, { caller }) => {
        const url = await signIn.endUrl(caller);
        await sessions.end(caller);
        return { url };
      },
      view: entitled,
      report: { line: 'Signed out' },
    }),
  };
}
