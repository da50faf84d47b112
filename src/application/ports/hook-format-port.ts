import type { HookMessage } from '../../domain/hooks/hook-message.ts';
import type { HookSettings } from '../../domain/hooks/hook.ts';

/** A message as a receiver gets it. */
export interface FormattedMessage {
  readonly contentType: string;
  readonly body: string;
}

/** The hook that a message is written for. */
export type WritingHook = Pick<HookSettings, 'format'> & { readonly id: string };

/** Writes messages in the formats of hooks (reach contract, section 17). */
export interface HookFormatPort {
  /** @param id of the delivery. */
  written(message: HookMessage, hook: WritingHook, id: string): FormattedMessage;
}
