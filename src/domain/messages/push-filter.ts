const FIELDS = [
  ...(['messageId', 'url', 'host', 'path', 'topic', 'schedule', 'queue'] as const),
  ...(['label', 'flowControlKey', 'callerIp', 'responseStatus'] as const),
];

export type FilterField = (typeof FIELDS)[number];

/**
 * Messages that a client asks for: each criterion is met by one of its values, and all of them by a message. `from` and
 * `to` are when it was published, epoch ms.
 */
export type PushFilter = { readonly [Time in 'from' | 'to']?: number | undefined } & {
  readonly [Field in FilterField]?: readonly string[];
};

/** What a filter examines of a message: it has any number of values in each field. */
export type FilteredPush = { readonly createdAt: number } & {
  readonly [Field in FilterField]: readonly (string | undefined)[];
};

export function matchesPush(filter: PushFilter, message: FilteredPush): boolean {
  const { from = 0, to = Infinity } = filter;
  if (message.createdAt < from || message.createdAt > to) return false;
  return FIELDS.every((field) => {
    const wanted = filter[field];
    return wanted === undefined || wanted.some((value) => message[field].includes(value));
  });
}

/** The labels of a message, which a client lists in one text. */
export function labelsOf(label = ''): readonly string[] {
  const labels = label.split(',').map((each) => each.trim());
  return labels.filter((each) => each !== '');
}
