// What a profile may not say, told at once and with its place; and that the shipped ones say none of it.
import { expect, test } from 'vitest';

import { readShipped } from '../../../test/harness/profiled.ts';
import { Profile } from './profile.ts';

const RULE = { http: [200], where: { '/code': [1] }, means: 'CODE_USED' };
const REQUEST = { method: 'POST', path: '/redeem/{playerId}', body: { code: '{code}' } };
const LOOKUP = { method: 'GET', path: '/codes/{code}' };
const minimal = (answers: object[] = [RULE], more: object = {}) => ({
  settlingMs: 60_000,
  redeem: { request: REQUEST, answers },
  ...more,
});

const mistakesIn = (file: object): string[] =>
  (Profile.safeParse(file).error?.issues ?? []).map(({ path, message }) => `/${path.join('/')}: ${message}`);

test.each(['result-code', 'job-poll'])('%s, as it is shipped, holds', (name) => {
  expect(readShipped(name).redeem.answers.length).toBeGreaterThan(3);
});

test('a file of the least that is needed holds', () => {
  expect(mistakesIn(minimal())).toEqual([]);
});

test('a request has a body or a form, and GET has neither', () => {
  const requested = (more: object) =>
    mistakesIn({ settlingMs: 60_000, redeem: { request: { ...REQUEST, ...more }, answers: [RULE] } });
  const { body: _body, ...bare } = REQUEST;
  expect(
    mistakesIn({
      settlingMs: 60_000,
      redeem: { request: { ...bare, form: { a: '{code}' } }, answers: [RULE] },
    }),
  ).toEqual([]);
  expect(requested({ form: { a: '{code}' } })).toEqual([
    '/redeem/request/form: stands in place of a body: one of both',
  ]);
  expect(requested({ method: 'GET' })).toEqual([
    '/redeem/request/method: GET has no body: put it into the path, or use POST',
  ]);
});

const PROVES = ['redeemed', 'usedByPlayer', 'CODE_USED', 'NETWORK_ERROR', 'refusedUs', 'LOGIN_FAILED'];
const CONDITION = { '/code': [1] };

test.each(PROVES)('%s needs an answer that proves it', (means) => {
  const refused = (rule: object) => mistakesIn(minimal([{ means, ...rule }]));
  const place = '/redeem/answers/0';
  for (const where of [undefined, CONDITION]) {
    expect(refused({ http: ['timeout'], where })).toContain(
      `${place}/http/0: timeout proves nothing: it may not mean ${means}`,
    );
    expect(refused({ http: [408], where })).toContain(
      `${place}/http/0: 408 proves nothing: it may not mean ${means}`,
    );
  }
  for (const status of [200, 302, 500, 502, 504, 599]) {
    expect(refused({ http: [status] })).toContain(
      `${place}/http/0: ${status} without a condition on its body proves nothing: it may not mean ${means}`,
    );
    expect(refused({ http: [status], where: CONDITION })).toEqual([]);
  }
  for (const http of [[200], [404], [503]])
    expect(refused({ http, where: {} })).toContain(
      `${place}/where: an empty condition fits every answer: it may not mean ${means}`,
    );
});

test.each(['underWay', 'unknown'])('%s may be said of anything', (means) => {
  for (const where of [undefined, {}, CONDITION])
    expect(mistakesIn(minimal([{ http: ['timeout', 408, 500, 200], where, means }]))).toEqual([]);
});

test('redeemed, used and unused are believed of no status alone', () => {
  const redeemed = { http: [409], means: 'redeemed' };
  expect(mistakesIn(minimal([redeemed]))).toEqual([
    '/redeem/answers/0/where: nothing of the body is looked at: it may not mean redeemed',
  ]);
  const lookup = (rule: object) =>
    mistakesIn(minimal([RULE], { lookup: { request: LOOKUP, answers: [{ http: [404], ...rule }] } }));
  expect(lookup({ means: 'unused' })).toHaveLength(1);
  expect(lookup({ means: 'usedBy', tells: { playerId: '/id' } })).toHaveLength(1);
  expect(lookup({ means: 'unused', where: CONDITION })).toEqual([]);
  expect(lookup({ means: 'notTold' })).toEqual([]);
});

test('what tells whose a code is, or a name, says where that lies', () => {
  const answers = (means: string) => [{ http: [200], where: CONDITION, means, tells: { amount: '/n' } }];
  expect(mistakesIn(minimal([RULE], { lookup: { request: LOOKUP, answers: answers('usedBy') } }))).toEqual([
    '/lookup/answers/0/tells: it does not say where playerId or openid lies: it may not mean usedBy',
  ]);
  const request = { method: 'GET', path: '/{playerId}' };
  expect(mistakesIn(minimal([RULE], { character: { request, answers: answers('found') } }))).toEqual([
    '/character/answers/0/tells: it does not say where name lies: it may not mean found',
  ]);
});

test.each([
  [{ '/status': ['done'] }, false],
  [{ '/status': ['done'], '/id': ['{jobId}'] }, false],
  [{ '/status': ['done'], '/code': ['{code}', 'none'] }, false],
  [{ '/status': ['done'], '/text': ['code {code} done'] }, false],
  [{ '/status': ['done'], '/code': ['{code}'] }, true],
  [{ '/status': ['done'], '/player': '{playerId:number}' }, false],
  [{ '/status': ['done'], '/player': '{playerId}', '/ref': '{reference}' }, true],
  [{ '/status': ['done'], '/ref': ['{reference}'] }, true],
])('a record with %j counts: %s', (where, counts) => {
  for (const means of ['redeemed', 'CODE_USED', 'refusedUs']) {
    const answers = [{ http: [200], where, means }];
    const job = { idAt: '/id', everyMs: 500, request: { method: 'GET', path: '/{jobId}' }, answers };
    const told = counts ? [] : [expect.stringMatching(/^\/job\/answers\/0\/where: no condition names our/)];
    expect(mistakesIn(minimal([RULE], { job }))).toEqual(told);
  }
});

test.each<[string, object, string[]]>([
  ['redeem', { body: { code: 'x' } }, ['it sends no {code}']],
  ['redeem', { path: '/redeem' }, ['it sends no {playerId}']],
  ['redeem', { path: '/redeem', body: {} }, ['it sends no {code}', 'it sends no {playerId}']],
  ['redeem', { path: '/{code}?id={playerId:number}', body: undefined, method: 'GET' }, []],
  ['redeem', { path: '/{code}', headers: { 'X-Player': '{playerId}' }, body: { meta: {}, of: [] } }, []],
  ['redeem', { path: '/', body: undefined, form: { a: '{code}', b: '{playerId}' } }, []],
  ['lookup', { path: '/codes', body: { game: '{gameId}' } }, ['it sends no {code}']],
  ['character', { path: '/players', body: { game: '{gameId}' } }, ['it sends no {playerId}']],
  ['job', { path: '/jobs', body: { of: '{playerId}' } }, ['it sends no {jobId} and no {reference}']],
  ['job', { path: '/jobs?of={reference}' }, []],
])('%s by %j: %j', (part, request, told) => {
  const redeem = { request: REQUEST, answers: [RULE] };
  const rule = { http: [200], means: part === 'lookup' ? 'notTold' : 'unknown' };
  const other = { request: { ...REQUEST, ...request }, answers: [rule], idAt: '/id', everyMs: 500 };
  const { idAt: _id, everyMs: _every, ...plain } = other;
  const file = part === 'redeem' ? {} : { [part]: part === 'job' ? other : plain };
  const own = { ...redeem, ...(part === 'redeem' && { request: { ...REQUEST, ...request } }) };
  expect(mistakesIn({ settlingMs: 60_000, redeem: own, ...file })).toEqual(
    told.map((mistake) => `/${part}/request: ${mistake}`),
  );
});

test('what would be sent or looked for as it stands is a mistake', () => {
  const requested = (more: object) =>
    mistakesIn({ settlingMs: 60_000, redeem: { request: { ...REQUEST, ...more }, answers: [RULE] } });
  const asItStands = expect.stringContaining('nothing is filled in') as string;
  expect(requested({ body: { '{code}': '{code}' } })).toEqual([asItStands]);
  expect(requested({ body: undefined, form: { '{code}': '{code}' } })).toEqual([
    '/redeem/request/form/{code}: Invalid key in record',
  ]);
  expect(requested({ headers: { 'X-Ref': '{reference:number}' } })).toEqual([
    '/redeem/request/headers/X-Ref: a reference is no number',
  ]);
  expect(mistakesIn(minimal([{ ...RULE, where: { '/codes/{code}': 'used' } }]))).toEqual([
    '/redeem/answers/0/where//codes/{code}: Invalid key in record',
  ]);
});

test('every mistake is told at once, with its place', () => {
  const file = {
    auth: { header: 'X Key', value: '{code}' },
    settlingMs: 5,
    redeem: {
      request: { method: 'POST', path: 'redeem', body: { deep: [{ player: '{player}' }] }, extra: 1 },
      needs: ['email'],
      answers: [
        { http: [200], where: { code: 1 }, means: 'CODE_USED' },
        { http: [502], means: 'LOGIN_FAILED' },
      ],
    },
    ping: { request: { method: 'GET', path: '/{jobId}' } },
    lookups: null,
  };
  const places = new Set(mistakesIn(file).map((mistake) => mistake.split(':')[0]));
  expect([...places].sort()).toEqual([
    '/',
    '/auth/header',
    '/auth/value',
    '/ping/request/path',
    '/redeem/answers/0/where/code',
    '/redeem/answers/1/http/0',
    '/redeem/needs/0',
    '/redeem/request',
    '/redeem/request/body',
    '/redeem/request/path',
    '/settlingMs',
  ]);
});
