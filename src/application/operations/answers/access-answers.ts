import { RIGHTS } from '../../../domain/access/right.ts';
import {
  integer,
  listOf,
  nullable,
  object,
  oneOf,
  required,
  string,
} from '../../../domain/values/shape.ts';
import { listedTokenShape } from '../../access/access-tokens.ts';
import { listedSessionShape } from '../../access/sessions.ts';

const rights = required(listOf(oneOf(...RIGHTS)), 'Its rights');

export const whoamiAnswer = object('Whoami', {
  name: required(string, 'The name of the token'),
  rights,
  queues: required(
    nullable(listOf(string)),
    'Patterns of the queues for which it allows that; null for all queues',
  ),
  expires: required(nullable(integer(0)), 'When it ends (epoch ms); null for never'),
  via: required(oneOf('token', 'session', 'jwt'), 'How the request proved who sent it'),
});

export const rotatedTokenAnswer = object('RotatedToken', {
  token: required(string, 'The token with its new secret, which is shown this once'),
});

export const tokensPageAnswer = object('TokensPage', {
  total: required(integer(0), 'The number of tokens on all pages together'),
  tokens: required(listOf(listedTokenShape), 'The tokens'),
});

export const sessionsPageAnswer = object('SessionsPage', {
  total: required(integer(0), 'The number of sessions on all pages together'),
  sessions: required(listOf(listedSessionShape), 'The sessions'),
});
