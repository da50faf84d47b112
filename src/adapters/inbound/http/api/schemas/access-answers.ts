import { RIGHTS } from '../../../../../domain/access/right.ts';
import {
  integer,
  listOf,
  nullable,
  object,
  oneOf,
  required,
  string,
} from '../../../../../domain/values/shape.ts';

export const whoamiAnswer = object('Whoami', {
  name: required(string, 'The name of the token'),
  rights: required(listOf(oneOf(...RIGHTS)), 'What it allows'),
  queues: required(
    nullable(listOf(string)),
    'Patterns of the queues for which it allows that; null for all queues',
  ),
  expires: required(nullable(integer(0)), 'When it ends (epoch ms); null for never'),
  via: required(oneOf('token', 'session', 'jwt'), 'How the request proved who sent it'),
});
