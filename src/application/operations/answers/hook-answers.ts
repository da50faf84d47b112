import type { SavedHook } from '../../hooks/hooks.ts';
import { DELIVERY_STATES, type HookDelivery } from '../../../domain/hooks/delivery.ts';
import { hookFields } from '../../../domain/hooks/hook.ts';
import type { ShownHook } from '../../../domain/hooks/shown-hook.ts';
import {
  boolean,
  integer,
  listOf,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  required,
  string,
  type Field,
} from '../../../domain/values/shape.ts';

const time = integer(0);

const shownFields = {
  id: required(string, 'Its id'),
  url: hookFields.url,
  headers: optional(
    mapOf(string, string, 'be an object of names and values'),
    'The headers of every call; their values are `[redacted]`',
  ),
  signing: required(boolean, 'Whether calls are signed after Standard Webhooks'),
  events: hookFields.events,
  queues: hookFields.queues,
  when: hookFields.when,
  for: required(integer(0), 'How long (ms) a condition must hold before it is reported'),
  repeat: required(
    nullable(integer(0)),
    'After how long (ms) a condition that lasts is reported again; null for never',
  ),
  distinct: hookFields.distinct,
  format: required(hookFields.format.shape, 'The shape of its messages'),
  paused: required(boolean, 'Whether it makes no messages, and sends none'),
  pausedReason: optional(string, 'Why the service paused it; absent when a client did'),
  createdAt: required(time, 'When it was made, in milliseconds since 1970'),
  unreadable: optional(string, 'Why its secrets cannot be read, so that nothing can be sent'),
} as const satisfies Record<keyof ShownHook, Field>;

export const hookAnswer = object('Hook', shownFields);

export const savedHookAnswer = object('SavedHook', {
  ...shownFields,
  secret: optional(string, 'The secret that signs its calls, which is shown only this once'),
} as const satisfies Record<keyof ShownHook | keyof Pick<SavedHook, 'secret'>, Field>);

export const hooksAnswer = object('Hooks', {
  total: required(integer(0), 'How many there are'),
  hooks: required(listOf(hookAnswer), 'The hooks, by id'),
});

export const deliveriesAnswer = object('HookDeliveries', {
  deliveries: required(
    listOf(
      object('HookDelivery', {
        id: required(string, 'Its id'),
        webhookId: required(string, 'The `webhook-id` of every attempt'),
        type: required(string, 'The name of the event'),
        createdAt: required(time, 'When the message was made, in milliseconds since 1970'),
        state: required(oneOf(...DELIVERY_STATES), 'What became of it'),
        attempts: required(integer(0), 'How many attempts were made'),
        lastStatus: required(
          nullable(integer(100)),
          'The status of the last answer; null when there was none',
        ),
        reason: required(nullable(string), 'Why the last attempt failed; null when it did not'),
        nextAt: required(
          nullable(time),
          'When the next attempt is due, in milliseconds since 1970; null when there is none',
        ),
        durationMs: required(
          nullable(integer(0)),
          'How many milliseconds the last attempt took; null before it',
        ),
      } as const satisfies Record<keyof HookDelivery | 'webhookId', Field>),
    ),
    'The newest first',
  ),
});
