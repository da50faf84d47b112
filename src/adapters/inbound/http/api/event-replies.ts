import type {
  FollowedEvents,
  ShowEvent,
} from '../../../../application/operations/event-operations.ts';
import { textOption } from '../../../../application/operations/options.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import { optional, string, type Shape } from '../../../../domain/values/shape.ts';
import { EventFormat, type IdText } from '../messages/event-format.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { EventMessages } from '../messages/event-messages.ts';
import {
  EVENT_STREAM_HEADERS,
  EVENT_STREAM_TYPE,
  EventStreamText,
} from '../messages/event-stream.ts';
import type { QuerySchema } from '../messages/query.ts';
import type { Reply } from '../messages/reply.ts';
import type { Call } from './route.ts';

/** Options that all routes of events share. @param id the shape of the ids that clients receive and resume behind. */
export function eventTerms(id: Shape<string>) {
  return {
    takesTicket: true,
    takesWebSocket: true,
    resumesBehind: id,
    errors: ['upgrade-required'],
    content: { contentType: EVENT_STREAM_TYPE, schema: { type: 'string' } },
    query: (own: QuerySchema): QuerySchema => ({
      ticket: textOption(optional(string, 'In place of a token; it can be used once')),
      ...own,
      lastEventId: textOption(
        optional(id, 'As the header Last-Event-ID, which takes precedence over this'),
      ),
    }),
  } as const;
}

/** The id behind which a caller resumes: that of the header or, without one, of the query. */
export function idBefore({ lastEventId, query }: Call): string | undefined {
  return lastEventId ?? (query['lastEventId'] as string | undefined);
}

/** The two ways to write events, for all callers that may see the same details: they share what is written. */
interface Forms {
  readonly text: EventStreamText;
  readonly messages: EventMessages;
}

/** Replies to subscribers. */
export function eventReplies(
  idOf: IdText,
  turns: EventLoopTurns,
): (followed: FollowedEvents) => Reply {
  const known = new Map<ShowEvent, Forms>();
  const formsFor = (show: ShowEvent): Forms => {
    const format = new EventFormat(idOf, show);
    return {
      text: new EventStreamText(format, turns),
      messages: new EventMessages(format, turns),
    };
  };
  return ({ follow, show }) => {
    const { text, messages } = keptOrMade(known, show, formsFor);
    return {
      status: 200,
      contentType: EVENT_STREAM_TYPE,
      headers: EVENT_STREAM_HEADERS,
      openPieces: (ending) => text.pieces(follow(ending)),
      openMessages: (ending) => messages.batches(follow(ending)),
    };
  };
}
