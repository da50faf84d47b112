import { endpointUrlShape } from '../calls/endpoint.ts';
import { invalidRequest } from '../errors.ts';
import { plainName } from '../values/plain-name.ts';
import { bounded, listOf, object, optional, required, time, type Shaped } from '../values/shape.ts';

/** How many URL groups there are at most, and how many endpoints of each. */
export const MOST_URL_GROUPS = 1000;
const MOST_ENDPOINTS = 100;

/** The most characters of a URL in a group: all endpoints of a group are read together. */
const MOST_URL = 2048;

export const urlGroupName = plainName('orders');

const endpointName = optional(urlGroupName, 'Its name, by which it can be replaced and removed');

/** The endpoints that a client adds to a group. */
export const groupEndpointsShape = bounded(
  MOST_ENDPOINTS,
  listOf(
    object('UrlGroupEndpoint', {
      url: required(bounded(MOST_URL, endpointUrlShape), 'Where messages to the group are sent'),
      name: endpointName,
    }),
  ),
);

export type GroupEndpoint = Shaped<typeof groupEndpointsShape>[number];

/** The endpoints that a client removes from a group, each by its name or its URL. */
export const removedEndpointsShape = bounded(
  MOST_ENDPOINTS,
  listOf(
    object('RemovedUrlGroupEndpoint', {
      url: optional(endpointUrlShape, 'Its URL, unless it is named'),
      name: endpointName,
    }),
  ),
);

export type RemovedEndpoint = Shaped<typeof removedEndpointsShape>[number];

/** The endpoints that each get the messages to a name (further contract, section 24). */
export const urlGroupShape = object('UrlGroup', {
  endpoints: required(groupEndpointsShape, 'The endpoints, in the order in which they came'),
  createdAt: required(time, 'When the group was made, epoch ms'),
  updatedAt: required(time, 'When its endpoints changed, epoch ms'),
});

export type UrlGroup = Shaped<typeof urlGroupShape>;

/**
 * The endpoints of a group with others added: one of a name that is there gets the new URL, and one of a URL that is
 * there the new name.
 *
 * @throws DomainError `invalid-request` when there would be too many.
 */
export function withEndpoints(
  kept: readonly GroupEndpoint[],
  added: readonly GroupEndpoint[],
): readonly GroupEndpoint[] {
  const all = [...kept];
  for (const endpoint of added) {
    const { url, name } = endpoint;
    const named = name === undefined ? -1 : all.findIndex((each) => each.name === name);
    const place = named >= 0 ? named : all.findIndex((each) => each.url === url);
    if (place < 0) all.push(endpoint);
    else all[place] = { ...all[place], ...endpoint };
  }
  if (all.length <= MOST_ENDPOINTS) return all;
  throw invalidRequest(`endpoints must be at most ${MOST_ENDPOINTS} of a group`, 'endpoints');
}

/** The endpoints of a group that are left without those of some names or URLs. */
export function withoutEndpoints(
  kept: readonly GroupEndpoint[],
  removed: readonly RemovedEndpoint[],
): readonly GroupEndpoint[] {
  const isRemoved = ({ url, name }: GroupEndpoint): boolean =>
    removed.some((each) => (each.name === undefined ? each.url === url : each.name === name));
  return kept.filter((endpoint) => !isRemoved(endpoint));
}
