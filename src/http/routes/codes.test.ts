// The code database over HTTP.
import { z } from '@hono/zod-openapi';
import { describe, expect } from 'vitest';

import { ACTOR, EXPIRED_KEY } from '../../../test/harness/scripted-core.ts';
import { runScenarios } from '../../../test/harness/scenarios.ts';
import { CoreError } from '../../core/index.ts';
import { AddedCodesAnswer, ExtractedCodes, ExtractionEntry, Inventory } from '../wire/codes.ts';

const stock = new Map([
  [60, 2],
  [325, 0],
]);
const inventory = { '60': 2, '325': 0 };
const free = { ratelimit: null };

describe('the stock', () => {
  const core = { codes: { countAvailable: () => stock } };
  const asked = [['codes.countAvailable', ACTOR, 'game_id_1']] as [string, typeof ACTOR, unknown][];
  const unmanaged = {
    status: 400,
    asked: [],
    answerHolds: { issues: [{ path: 'gameId', message: 'must be a game with a code database: game_id_1' }] },
  };
  runScenarios([
    {
      name: 'of the first game with a database',
      request: 'GET /db',
      core,
      status: 200,
      schema: Inventory,
      answer: inventory,
      asked,
      answerHeaders: free,
    },
    { name: 'of the game asked for', request: 'GET /db?gameId=game_id_1', core, status: 200, asked },
    { ...unmanaged, name: 'of a game without one', request: 'GET /db?gameId=game_id_2' },
    { ...unmanaged, name: 'of no game', request: 'GET /db?gameId=x' },
    { ...unmanaged, name: 'adding to a game without one', request: 'POST /db?gameId=game_id_3', body: [] },
    {
      ...unmanaged,
      name: 'taking from a game without one',
      request: 'POST /db/extract?gameId=game_id_3',
      body: { denomination: 60, amount: 1 },
    },
    { name: 'needs a subscription', request: 'GET /db', key: EXPIRED_KEY, status: 403, asked: [] },
    {
      name: 'has two methods',
      request: 'PUT /db',
      body: [],
      status: 405,
      answerHeaders: { allow: 'GET, HEAD, POST' },
    },
  ]);
});

describe('adding codes', () => {
  const request = 'POST /db';
  const refused = { request, status: 400, asked: [] };
  const added = {
    batchId: 1,
    accepted: new Map([[60, 1]]),
    used: ['USED12345678'],
    disowned: ['OTHER1234567'],
    invalid: ['x'],
    replayed: false,
  };
  const core = { codes: { add: () => Promise.resolve(added), countAvailable: () => stock } };
  const stockKeys = [{ denomination: 60, codes: ['CODE12345678', 'x'] }];
  runScenarios([
    {
      name: 'tells what became of each',
      request,
      body: [{ denomination: '60', codes: ['CODE12345678', 'x'] }],
      core,
      status: 200,
      schema: AddedCodesAnswer,
      answer: {
        inventory,
        accepted: { '60': 1, '325': 0, '660': 0, '1800': 0, '3850': 0, '8100': 0 },
        used: ['USED12345678'],
        disowned: ['OTHER1234567'],
        invalid: ['x'],
      },
      asked: [
        ['codes.add', ACTOR, 'game_id_1', stockKeys, {}],
        ['codes.countAvailable', ACTOR, 'game_id_1'],
      ],
      answerHeaders: free,
      mustNotContain: ['CODE12345678'],
    },
    {
      name: 'tells again under the same key what the first request was told',
      request,
      body: stockKeys,
      headers: { 'idempotency-key': 'k' },
      core: {
        codes: { add: () => Promise.resolve({ ...added, replayed: true }), countAvailable: () => stock },
      },
      status: 200,
      answerHolds: { used: ['USED12345678'] },
      asked: [
        ['codes.add', ACTOR, 'game_id_1', stockKeys, { idempotencyKey: { scope: 'http', key: 'k' } }],
        ['codes.countAvailable', ACTOR, 'game_id_1'],
      ],
      answerHeaders: { 'idempotency-replayed': 'true' },
    },
    {
      ...refused,
      name: 'refuses one code under two denominations, and names it',
      body: [
        { denomination: 60, codes: ['CODE12345678'] },
        { denomination: 60, codes: ['CODE12345678'] },
        { denomination: 325, codes: ['OTHER1234567', ' CODE12345678'] },
      ],
      answerHolds: {
        error: expect.stringContaining('CODE12345678') as string,
        issues: [{ path: '2.codes.1', message: 'names CODE12345678 under 325, and it stands under 60, too' }],
      },
    },
    {
      ...refused,
      name: 'tells the beginning of a long code that stands under two denominations',
      body: [60, 325].map((denomination) => ({ denomination, codes: ['C'.repeat(300)] })),
      answerHolds: {
        issues: [
          {
            path: '1.codes.0',
            message: `names ${'C'.repeat(256)} under 325, and it stands under 60, too`,
          },
        ],
      },
    },
    {
      ...refused,
      name: 'tells of the first hundred codes that stand under two denominations',
      body: [60, 325].map((denomination) => ({
        denomination,
        codes: Array.from({ length: 101 }, (_, i) => `CODE${1000 + i}`),
      })),
      answerHolds: {
        issues: Array.from({ length: 100 }, (_, i) => ({
          path: `1.codes.${i}`,
          message: `names CODE${1000 + i} under 325, and it stands under 60, too`,
        })),
      },
    },
    {
      name: 'takes 10,000',
      request,
      body: [{ denomination: 60, codes: Array.from({ length: 10_000 }, (_, i) => `CODE${i}`) }],
      core,
      status: 200,
    },
    {
      ...refused,
      name: 'refuses more than 10,000 in all',
      body: [60, 325].map((denomination) => ({
        denomination,
        codes: Array.from({ length: 5001 }, (_, i) => `C${denomination}${i}`),
      })),
      answerHolds: { issues: [{ path: '' }] },
    },
    {
      ...refused,
      name: 'refuses an unknown denomination, listing those there are',
      body: [
        { denomination: 60, codes: [] },
        { denomination: 61, codes: ['CODE12345678'] },
      ],
      answerHolds: {
        issues: [
          {
            path: '1.denomination',
            message: 'must be one that game_id_1 has: 60, 325, 660, 1800, 3850, 8100',
          },
        ],
      },
      mustNotContain: ['CODE12345678'],
    },
    {
      ...refused,
      name: 'refuses a code that is no text',
      body: [{ denomination: 60, codes: [123456789012] }],
      answerHolds: { issues: [{ path: '0.codes.0' }] },
      mustNotContain: ['123456789012'],
    },
    { ...refused, name: 'refuses an object', body: { denomination: 60, codes: [] } },
    { ...refused, name: 'refuses codes in one text', body: [{ denomination: 60, codes: 'CODE12345678' }] },
    {
      ...refused,
      name: 'refuses an entry that is no object',
      body: ['CODE12345678'],
      mustNotContain: ['CODE12345678'],
    },
    {
      ...refused,
      name: 'refuses an entry without codes',
      body: [{ denomination: 60 }],
      answerHolds: { issues: [{ path: '0.codes' }] },
    },
  ]);
});

describe('taking codes out', () => {
  const request = 'POST /db/extract';
  const refused = { request, status: 400, asked: [] };
  const extracted = (replayed: boolean) => ({
    codes: { extract: () => Promise.resolve({ extractionId: 1, codes: ['CODE12345678'], replayed }) },
  });
  const body = { denomination: 60, amount: 10 };
  runScenarios([
    {
      name: 'answers the codes',
      request,
      body,
      core: extracted(false),
      status: 200,
      schema: ExtractedCodes,
      answer: ['CODE12345678'],
      asked: [['codes.extract', ACTOR, { gameId: 'game_id_1', denomination: 60, amount: 10 }]],
      answerHeaders: { ...free, 'idempotency-replayed': null },
    },
    {
      name: 'answers them again under the same key',
      request: `${request}?gameId=game_id_1`,
      body,
      headers: { 'idempotency-key': 'k' },
      core: extracted(true),
      status: 200,
      answer: ['CODE12345678'],
      asked: [
        [
          'codes.extract',
          ACTOR,
          { gameId: 'game_id_1', denomination: 60, amount: 10, idempotencyKey: { scope: 'http', key: 'k' } },
        ],
      ],
      answerHeaders: { 'idempotency-replayed': 'true' },
    },
    {
      name: 'refuses the key with another body',
      request,
      body,
      core: {
        codes: { extract: () => Promise.reject(new CoreError('IDEMPOTENCY_KEY_REUSED', 'Send a new key.')) },
      },
      status: 422,
      answer: { error: 'Send a new key.', errorCode: 'IDEMPOTENCY_KEY_REUSED' },
    },
    {
      name: 'tells nothing of a fault of ours',
      request,
      body,
      core: { codes: { extract: () => Promise.reject(new Error('CANARY')) } },
      status: 500,
      answer: { error: expect.stringContaining('request id') as string },
    },
    { ...refused, name: 'refuses an unknown denomination', body: { ...body, denomination: 61 } },
    { ...refused, name: 'refuses a bad key', body, headers: { 'idempotency-key': 'two words' } },
    ...[0, -1, 1.5, 10_001, '10', null, undefined].map((amount) => ({
      ...refused,
      name: `refuses the amount ${amount}`,
      body: { denomination: 60, amount },
      answerHolds: { issues: [{ path: 'amount' }] },
    })),
    { name: 'is POST alone', request: 'GET /db/extract', status: 405, answerHeaders: { allow: 'POST' } },
  ]);
});

describe('what was taken out', () => {
  const summary = { id: 12, createdAt: Date.parse('2026-01-13T08:27:18.520Z'), denomination: 60, count: 2 };
  const codes = ['CODE12345678', 'CODE12345679'];
  const found = { gameId: 'game_id_1', denomination: 60, codes };
  const unknown = { status: 404, answer: { error: expect.stringContaining('no such extraction') as string } };
  runScenarios([
    {
      name: 'is listed',
      request: 'GET /db/extractions',
      core: { extractionHistory: { listExtractions: () => [summary] } },
      status: 200,
      schema: z.array(ExtractionEntry),
      answer: [{ id: 12, createdAt: '2026-01-13T08:27:18.520Z', denomination: 60, count: 2 }],
      asked: [['extractionHistory.listExtractions', ACTOR, 'game_id_1', {}]],
      answerHeaders: free,
      mustNotContain: codes,
    },
    {
      name: 'is listed a page at a time',
      request: 'GET /db/extractions?before=2026-01-13T08:27:18.520Z',
      core: { extractionHistory: { listExtractions: () => [] } },
      status: 200,
      answer: [],
      asked: [['extractionHistory.listExtractions', ACTOR, 'game_id_1', { before: summary.createdAt }]],
    },
    {
      name: 'can be had again',
      request: 'GET /db/extractions/12',
      core: { extractionHistory: { findExtraction: () => Promise.resolve(found) } },
      status: 200,
      schema: ExtractedCodes,
      answer: codes,
      asked: [['extractionHistory.findExtraction', ACTOR, 12]],
      answerHeaders: free,
    },
    {
      ...unknown,
      name: 'of another account is not there',
      request: 'GET /db/extractions/13',
      core: { extractionHistory: { findExtraction: () => Promise.resolve(undefined) } },
    },
    { ...unknown, name: 'has a number', request: 'GET /db/extractions/x', asked: [] },
  ]);
});
