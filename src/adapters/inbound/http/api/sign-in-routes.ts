import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import { personOf, SIGN_IN_LIFE } from '../../../../domain/access/sign-in.ts';
import type { WholeReply } from '../../exchange/whole-reply.ts';
import { json, TEXT_TYPE, textReply } from '../messages/reply.ts';
import { route, type UntaggedRoute } from './route.ts';
import { SESSION, TRY } from './session-cookie.ts';

/** What people sign in by: browsers get redirects, and pages for what goes wrong. */
const ofPeople = {
  isConfidential: true,
  errorStyle: 'page',
  status: 303,
  content: { contentType: TEXT_TYPE, schema: { type: 'string' } },
} as const;

/** The routes of people who sign in (further contract, section 25). */
export function signInRoutes(signIn: OperationCatalogue['signIn']): readonly UntaggedRoute[] {
  const { beginSignIn, finishSignIn, openPersonSession, signOut } = signIn;
  return [
    route('GET', '/sign-in', beginSignIn, {
      ...ofPeople,
      reply: ({ location, secret }, { peer }) =>
        redirect(location, TRY.header(secret, peer.isSecure())),
    }),
    {
      // The issuer may add parameters of its own.
      ...route('GET', '/sign-in/callback', finishSignIn, { ...ofPeople, query: 'ignored' }),
      handle: async (call, operations) => {
        const person = await operations.perform(finishSignIn, call, call.comeback, true);
        const way = call.as(personOf(person.signIn));
        const cookie = await operations.perform(openPersonSession, way, { person });
        return redirect(person.target, SESSION.header(cookie, call.peer.isSecure(), SIGN_IN_LIFE));
      },
    },
    route('POST', '/sign-out', signOut, {
      isConfidential: true,
      reply: (answer, { peer }) =>
        json(answer, 200, { 'Set-Cookie': SESSION.ended(peer.isSecure()) }),
    }),
  ];
}

function redirect(to: string, cookie: string): WholeReply {
  return textReply('', 303, { Location: to, 'Set-Cookie': cookie });
}
