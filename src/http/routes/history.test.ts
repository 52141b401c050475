// Reading back: /history, /history/{id}, /stats and /quota.
import { describe, expect } from 'vitest';
import { z } from 'zod';

import { ACTOR, bareRedemption, EXPIRED_KEY, RECEIPT } from '../../../test/harness/scripted-core.ts';
import { runScenarios } from '../../../test/harness/scenarios.ts';
import type { Redemption } from '../../core/index.ts';
import { ActivationError, ActivationReceipt } from '../wire/activation.ts';
import { WireHistoryEntry, Statistics } from '../wire/history.ts';
import { Quota } from '../wire/quota.ts';

const free = { 'ratelimit-policy': null, ratelimit: null };

describe('one redemption', () => {
  const core = (found?: Redemption) => ({ receipts: { find: () => found } });
  const notFound = {
    status: 404,
    answer: { error: expect.any(String) as string, errorCode: 'ACTIVATION_NOT_FOUND' },
  };
  runScenarios([
    {
      name: 'is its receipt',
      request: 'GET /history/4711',
      core: core(RECEIPT),
      status: 200,
      schema: ActivationReceipt,
      answerHolds: { id: 4711, password: 'a password' },
      asked: [['receipts.find', ACTOR, 4711]],
      answerHeaders: free,
    },
    { name: 'answers HEAD', request: 'HEAD /history/4711', core: core(RECEIPT), status: 200 },
    {
      name: 'that failed is its error, under 200',
      request: 'GET /history/4712',
      core: core(bareRedemption({ errorCode: 'CODE_USED' })),
      status: 200,
      schema: ActivationError,
      answerHolds: { type: 'ActivationError', errorCode: 'CODE_USED' },
    },
    {
      name: 'under way is UNKNOWN',
      request: 'GET /history/4712',
      core: core(bareRedemption({ state: 'pending' })),
      status: 200,
      schema: ActivationError,
      answerHolds: { errorCode: 'UNKNOWN' },
    },
    {
      name: 'that is not there',
      request: 'GET /history/5',
      core: core(),
      ...notFound,
      asked: [['receipts.find', ACTOR, 5]],
    },
    ...[
      '0',
      '-1',
      '1.5',
      'x',
      '1e3',
      '0x10',
      '007',
      '9007199254740993',
      '9'.repeat(400),
      '%00',
      '1%2F2',
      '%ff',
    ].map((id) => ({
      name: 'is not asked for by what is no identifier',
      request: `GET /history/${id}`,
      ...notFound,
      asked: [],
    })),
    {
      name: 'needs a subscription',
      request: 'GET /history/4711',
      key: EXPIRED_KEY,
      status: 403,
      asked: [],
      answer: { error: expect.any(String) as string, errorCode: 'SUBSCRIPTION_EXPIRED' },
    },
    { name: 'needs a key', request: 'GET /history/4711', key: null, status: 401, asked: [] },
    {
      name: 'cannot be deleted',
      request: 'DELETE /history/4711',
      status: 405,
      answerHeaders: { allow: 'GET, HEAD' },
    },
  ]);
});

describe('the history', () => {
  const entry = {
    id: 1,
    error: false,
    warning: false,
    playerId: '5124780131',
    gameId: 'game_id_2',
    createdAt: RECEIPT.createdAt,
  };
  const settled = { ...entry, code: 'C0', denomination: 60, settledAt: entry.createdAt + 5 };
  const core = { receipts: { list: () => [settled, entry] } };
  const rendered = { ...entry, createdAt: '2026-01-13T08:27:18.520Z' };
  const at = Date.parse('2026-01-13T08:27:18.520Z');
  const ranges: [string, object][] = [
    ['', {}],
    ['?before=2026-01-13T08:27:18.520Z', { before: at }],
    ['?after=2026-01-13T08:27:18.520Z', { after: at }],
    ['?before=2026-01-13T11:27:18.520%2B03:00', { before: at }],
    ['?before=2026-01-13T11:27:18.520+03:00', { before: at }],
    ['?before=2026-01-13T08:27:18.5205Z', { before: at + 1 }],
    ['?after=2026-01-13T08:27:18.5205Z', { after: at }],
    ['?after=2026-01-13', { after: Date.parse('2026-01-13T00:00:00Z') }],
    ['?unknown=1', {}],
  ];
  const broken = [
    'yesterday',
    '',
    '0',
    '1768292838520',
    '2026-13-01',
    '2026-02-30T00:00:00Z',
    '2026-01-13T25:00:00Z',
    'Tue, 13 Jan 2026 08:27:18 GMT',
  ];
  runScenarios([
    {
      name: 'lists entries without credentials',
      request: 'GET /history',
      core,
      status: 200,
      schema: z.array(WireHistoryEntry),
      answer: [
        { ...rendered, code: 'C0', denomination: 60, settledAt: '2026-01-13T08:27:18.525Z' },
        rendered,
      ],
      answerHeaders: free,
    },
    ...ranges.map(([query, range]) => ({
      name: 'takes the range',
      request: `GET /history${query}`,
      core,
      status: 200,
      asked: [['receipts.list', ACTOR, range]] as [string, typeof ACTOR, unknown][],
    })),
    ...broken.flatMap((text) =>
      ['before', 'after'].map((name) => ({
        name: 'refuses what is no time',
        request: `GET /history?${name}=${encodeURIComponent(text)}`,
        status: 400,
        asked: [],
        answerHolds: { issues: [{ path: name }] },
      })),
    ),
    {
      name: 'refuses both',
      request: 'GET /history?before=2026-01-13&after=2026-01-13',
      status: 400,
      asked: [],
    },
    {
      name: 'refuses one of them twice',
      request: 'GET /history?before=2026-01-13&before=2026-01-14',
      status: 400,
      asked: [],
      answerHolds: { issues: [{ path: 'before', message: 'was sent more than once: send it once' }] },
    },
    {
      name: 'cannot be posted to',
      request: 'POST /history',
      body: {},
      status: 405,
      answerHeaders: { allow: 'GET, HEAD' },
    },
  ]);
});

describe('the statistics', () => {
  const day = {
    date: '2026-01-13',
    activations: new Map([
      [0, 0],
      [60, 2],
    ]),
    errors: new Map([
      [0, 1],
      [60, 0],
    ]),
  };
  const core = { dayStatistics: () => Promise.resolve(day) };
  runScenarios([
    {
      name: 'of a day',
      request: 'GET /stats?date=2026-01-13',
      core,
      status: 200,
      schema: Statistics,
      answer: { date: '2026-01-13', activations: { '0': 0, '60': 2 }, errors: { '0': 1, '60': 0 } },
      asked: [['dayStatistics', ACTOR, { gameId: 'game_id_1', date: '2026-01-13' }]],
      answerHeaders: free,
    },
    {
      name: 'of today',
      request: 'GET /stats',
      core,
      status: 200,
      schema: Statistics,
      asked: [['dayStatistics', ACTOR, { gameId: 'game_id_1' }]],
    },
    {
      name: 'of another game',
      request: 'GET /stats?gameId=game_id_2',
      core,
      status: 200,
      asked: [['dayStatistics', ACTOR, { gameId: 'game_id_2' }]],
    },
    {
      name: 'refuses a game that there is not',
      request: 'GET /stats?gameId=game_id_9',
      status: 400,
      asked: [],
      answerHolds: { issues: [{ path: 'gameId' }] },
    },
    ...[
      '2026-02-30',
      '2026-2-3',
      '13.01.2026',
      'today',
      '',
      '2026-01-13T00:00:00Z',
      '2025-02-29',
      '2026-00-10',
    ].map((date) => ({
      name: 'refuses what is no day',
      request: `GET /stats?date=${encodeURIComponent(date)}`,
      status: 400,
      asked: [],
      answerHolds: { issues: [{ path: 'date' }] },
    })),
  ]);
});

describe('the quota', () => {
  const quota = {
    daily: { limit: 300, used: 300, remaining: 0 },
    purchased: 0.75,
    boughtInAll: 1000,
    subscriptionExpiresAt: undefined,
    wholeLeft: 0,
    secondsUntilNext: 9,
  };
  runScenarios([
    {
      name: 'in activations',
      request: 'GET /quota',
      status: 200,
      schema: Quota,
      answer: {
        daily: { limit: 300, used: 0.25, remaining: 299.75 },
        purchased: 1000,
        subscriptionExpiresAt: '2026-02-01T00:00:00.000Z',
      },
      answerHeaders: free,
    },
    {
      name: 'leaves out what there is not',
      request: 'GET /quota',
      core: { quota: () => quota },
      status: 200,
      schema: Quota,
      answer: { daily: quota.daily, purchased: 0.75 },
    },
  ]);
});
