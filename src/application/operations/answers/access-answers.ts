import { limitsShape } from '../../../domain/access/token-limits.ts';
import { RIGHTS } from '../../../domain/access/right.ts';
import {
  boolean,
  integer,
  listOf,
  nullable,
  object,
  oneOf,
  required,
  string,
} from '../../../domain/values/shape.ts';

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

const text = nullable(string);
const time = nullable(integer(0));

const listedFields = {
  id: required(string, 'The id that names it in paths and in records'),
  name: required(string, 'Its purpose'),
  hint: required(text, 'The beginning of its secret, to recognize it by'),
  rights,
  queues: required(nullable(listOf(string)), 'Patterns of its queues; null for all'),
  expires: required(time, 'When it ends (epoch ms); null for never'),
  limits: required(nullable(limitsShape), 'How much it may do in a time; null for what all may'),
  addresses: required(nullable(listOf(string)), 'From which networks it works; null for all'),
  createdAt: required(time, 'When it was made (epoch ms)'),
  createdBy: required(text, 'The name of the token that made it'),
  parent: required(
    text,
    'The id of the token that made it, with which it ends and whose limits it shares; null for a token of the environment',
  ),
  lastUsedAt: required(time, 'When it was used last (epoch ms), at most a minute old'),
  lastAddress: required(text, 'From where it was used last'),
  source: required(oneOf('api', 'file', 'environment'), 'Where it comes from'),
};

export const tokenAnswer = object('Token', listedFields);

export const createdTokenAnswer = object('CreatedToken', {
  token: required(string, 'The token itself, which is shown this once'),
  ...listedFields,
});

export const rotatedTokenAnswer = object('RotatedToken', {
  token: required(string, 'The token with its new secret, which is shown this once'),
});

export const tokensPageAnswer = object('TokensPage', {
  total: required(integer(0), 'The number of tokens on all pages together'),
  tokens: required(listOf(tokenAnswer), 'The tokens'),
});

const sessionAnswer = object('Session', {
  id: required(string, 'The id that names it in paths and in the audit'),
  createdAt: required(integer(0), 'When it was opened (epoch ms)'),
  lastSeenAt: required(integer(0), 'When it was used last (epoch ms), at most a minute old'),
  address: required(string, 'From where it was used last'),
  current: required(boolean, 'Whether it is that of the request'),
});

export const sessionsPageAnswer = object('SessionsPage', {
  total: required(integer(0), 'The number of sessions on all pages together'),
  sessions: required(listOf(sessionAnswer), 'The sessions'),
});
