import { expect } from 'chai';
import { checkShape } from '../../../src/domain/values/check-shape.ts';
import { endpointShape } from '../../../src/domain/calls/endpoint.ts';
import { rejection } from './rejection.ts';

const URL_MUST = 'e.url must be a valid http or https URL without user name or password';
const METHOD_MUST = 'e.method must be post, get, put, delete or patch';
const HEADERS_MUST = 'e.headers must be an object of header names to strings';
const TIMEOUT_MUST = 'e.timeout must be an integer from 1 to 2147483647';

const BODY_MUST = 'e.body must be envelope, data or none';
const SUCCESS_MUST =
  'e.success must be an array of 1 to 100 statuses such as "404" and ranges such as "200-299", from 200 to 599';

const VALID = { url: 'http://localhost:3000/hook', method: 'post' } as const;

describe('endpoint', () => {
  for (const endpoint of [
    VALID,
    // holds: endpoint.url
    { ...VALID, url: 'https://example.test' },
    { ...VALID, url: 'HTTP://127.0.0.1/a?b=c#d' },
    { ...VALID, url: 'http://[::1]:8080/' },
    { ...VALID, url: 'http://bücher.test/ü' },
    { ...VALID, method: 'get' },
    { ...VALID, method: 'put' },
    { ...VALID, method: 'delete' },
    { ...VALID, method: 'patch' },
    { ...VALID, method: 'PATCH' },
    { ...VALID, method: 'Delete' },
    { ...VALID, timeout: 1 },
    { ...VALID, timeout: 2_147_483_647 },
    { ...VALID, body: 'envelope' },
    { ...VALID, body: 'data' },
    { ...VALID, body: 'none' },
    { ...VALID, success: ['200-209'] },
    { ...VALID, success: ['200', '404', '500-599', '300-300'] },
    { ...VALID, headers: {} },
    { ...VALID, headers: { Authorization: 'Bearer x', 'x-empty': '', 'X~!#$%': 'a\tb ÿ' } },
    { ...VALID, headers: { 'content-type': 'text/plain', 'user-agent': 'mine' } },
    { ...VALID, headers: { 'X-Jobgate-Id': 'a', Jobgate: 'b', 'Webhook-Key': 'c', 'TE-X': 'd' } },
  ]) {
    it(`may be ${JSON.stringify(endpoint)}`, () => {
      checkShape(endpointShape, endpoint, 'e');
    });
  }

  for (const [endpoint, message] of [
    [null, 'e must be an object'],
    ['http://localhost/', 'e must be an object'],
    [[VALID], 'e must be an object'],
    [{ method: 'post' }, URL_MUST],
    ...[
      '',
      'localhost',
      '/hook',
      // holds: endpoint.url
      'ftp://a.test/',
      'file:///etc/passwd',
      'javascript:1',
      'http://',
      5,
    ].map((url) => [{ ...VALID, url }, URL_MUST] as const),
    ...['http://u:p@a.test/', 'http://u@a.test/', 'https://:p@a.test/'].map(
      (url) => [{ ...VALID, url }, URL_MUST] as const,
    ),
    ...['POSTS', ' post', 'head', 'options', 'trace', 'connect', '', null, undefined].map(
      (method) => [{ ...VALID, method }, METHOD_MUST] as const,
    ),
    ...[0, -1, 1.5, 2_147_483_648, '1000', null, Infinity].map(
      (timeout) => [{ ...VALID, timeout }, TIMEOUT_MUST] as const,
    ),
    ...['', 'DATA', 'json', null, 5].map((body) => [{ ...VALID, body }, BODY_MUST] as const),
    ...[
      [],
      '200-299',
      null,
      [200],
      [''],
      ['199'],
      ['600'],
      ['2xx'],
      ['200-600'],
      ['299-200'],
      ['200-'],
      ['200 - 299'],
      ['200-299-300'],
      ['200', null],
      Array<string>(101).fill('200'),
    ].map((success) => [{ ...VALID, success }, SUCCESS_MUST] as const),
    ...[null, 'a: b', [], ['a'], 5].map(
      (headers) => [{ ...VALID, headers }, HEADERS_MUST] as const,
    ),
  ] as const) {
    it(`may not be ${JSON.stringify(endpoint).slice(0, 200)}`, () => {
      expect(
        rejection(() => {
          checkShape(endpointShape, endpoint, 'e');
        }),
      ).to.equal(message);
    });
  }

  const mistake = (headers: unknown): string | undefined =>
    rejection(() => {
      checkShape(endpointShape, { ...VALID, headers }, 'e');
    });

  for (const name of ['', 'a b', 'a:b', 'a\r\nb', 'ü', '(a)']) {
    it(`may not have a header of the name ${JSON.stringify(name)}`, () => {
      const shown = name.replace(/[\r\n]/g, '\ufffd');
      expect(mistake({ [name]: 'x' })).to.equal(`e.headers.${shown} must be the name of a header`);
    });
  }

  for (const name of [
    'Host',
    'content-length',
    'Content-Encoding',
    'CONNECTION',
    'Transfer-Encoding',
    'upgrade',
    'HTTP2-Settings',
    'te',
    'trailer',
    'expect',
    'keep-alive',
    'proxy-connection',
    'Jobgate-Token',
    'jobgate-job-id',
    'JOBGATE-Anything',
    'webhook-id',
    'Webhook-Timestamp',
    'webhook-signature',
  ]) {
    // holds: calls.own-headers
    it(`may not set the header ${name}`, () => {
      expect(mistake({ 'X-Fine': 'x', [name]: 'x' })).to.equal(
        `e.headers.${name} must be left out: only jobgate itself may set it`,
      );
    });
  }

  for (const value of ['a\r\nb: c', 'a\nb', 'a\u0000', '日本', '\u007f', 5, null, ['a']]) {
    // holds: endpoint.header-strings
    it(`may not set a header to ${JSON.stringify(value)}`, () => {
      const endpoint = { ...VALID, headers: { 'x-a': value } };
      const message =
        'e.headers.x-a must be a string of Latin-1 characters without control characters';
      expect(
        rejection(() => {
          checkShape(endpointShape, endpoint, 'e');
        }),
      ).to.equal(message);
    });
  }
});
