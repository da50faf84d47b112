import { hookDeliveryFields } from '../../../domain/hooks/delivery.ts';
import { hookFields } from '../../../domain/hooks/hook.ts';
import type { ShownHook } from '../../../domain/hooks/shown-hook.ts';
import {
  boolean,
  integer,
  listOf,
  mapOf,
  nullable,
  object,
  optional,
  required,
  string,
  type Field,
  time,
} from '../../../domain/values/shape.ts';
import { stopFields } from '../../../domain/values/stop.ts';
import { without } from '../../../domain/values/without.ts';
import type { SavedHook } from '../../hooks/hooks.ts';

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
  pause: stopFields.pause,
  pausedReason: optional(string, 'Why the service paused it; absent when a client did'),
  createdAt: required(time, 'When it was made, in milliseconds since 1970'),
  unreadable: optional(string, 'Why its secrets cannot be read, so that nothing can be sent'),
} as const satisfies Record<keyof ShownHook, Field>;

export const hookAnswer = object('Hook', shownFields);

export const savedHookAnswer = object('SavedHook', {
  ...shownFields,
  secret: optional(string, 'The secret that signs its calls, which is shown only this once'),
} as const satisfies Record<keyof ShownHook | keyof Pick<SavedHook, 'secret'>, Field>);

export const deliveriesAnswer = object('HookDeliveries', {
  deliveries: required(
    listOf(
      object('HookDelivery', {
        id: hookDeliveryFields.id,
        webhookId: required(string, 'The `webhook-id` of every attempt'),
        ...without(hookDeliveryFields, 'id'),
      }),
    ),
    'The newest first',
  ),
});
