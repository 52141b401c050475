// GET /character and /redemption-time: charged look-ups and every way they fail.
import { describe, expect } from 'vitest';

import { ACTOR, EXPIRED_KEY, QUOTA } from '../../../test/harness/scripted-core.ts';
import { runScenarios } from '../../../test/harness/scenarios.ts';
import type { RedemptionTimeAnswer } from '../../core/index.ts';
import { Character, RedemptionTime } from '../wire/lookups.ts';

const told = {
  'ratelimit-policy': '"daily";q=300;w=86400, "purchased";q=2000',
  ratelimit: '"daily";r=299;t=42, "purchased";r=1000',
};
const exceeded = { status: 'quotaExceeded', retryAfterSeconds: 60 } as const;
const limited = { error: expect.any(String) as string, limit: 300 };

describe('a character', () => {
  const request = 'GET /character?playerId=5124780131&gameId=game_id_1';
  const found = { gameId: 'game_id_1', playerId: '5124780131', openid: 'o', name: '<b>Player</b>' };
  const core = { findCharacter: () => Promise.resolve({ status: 'found' as const, ...found }) };
  const asked = [['findCharacter', ACTOR, { playerId: '5124780131', gameId: 'game_id_1' }]] as [
    string,
    typeof ACTOR,
    unknown,
  ][];
  const rule = { status: 400, asked: [] };
  runScenarios([
    {
      name: 'is named',
      request,
      core,
      status: 200,
      schema: Character,
      answer: found,
      asked,
      answerHeaders: told,
    },
    {
      name: 'has no HEAD, which would cost as much and tell nothing',
      request: request.replace('GET', 'HEAD'),
      core,
      status: 405,
      asked: [],
      answerHeaders: { allow: 'GET', ratelimit: null },
    },
    {
      name: 'tells the daily quota alone where nothing was ever bought',
      request,
      core: { ...core, quota: () => ({ ...QUOTA, purchased: 0, boughtInAll: 0 }) },
      status: 200,
      answerHeaders: { 'ratelimit-policy': '"daily";q=300;w=86400', ratelimit: '"daily";r=299;t=42' },
    },
    {
      name: 'of the default game',
      request: 'GET /character?playerId=5124780131',
      options: { defaultGameId: 'game_id_1' },
      core,
      status: 200,
      asked,
    },
    {
      name: 'that does not exist',
      request,
      core: { findCharacter: () => Promise.resolve({ status: 'notFound' }) },
      status: 404,
      answer: { error: expect.any(String) as string, errorCode: 'CHARACTER_NOT_FOUND' },
      answerHeaders: told,
    },
    {
      name: 'that cannot be looked up',
      request,
      core: { findCharacter: () => Promise.resolve({ status: 'unreachable' }) },
      status: 503,
      answer: { error: expect.any(String) as string, errorCode: 'CHARACTER_NOT_FOUND' },
      answerHeaders: told,
    },
    {
      name: 'where names are not told',
      request,
      core: { findCharacter: () => Promise.resolve({ status: 'notOffered' }) },
      status: 503,
      answer: {
        error: expect.stringContaining('cannot be looked up here') as string,
        errorCode: 'CHARACTER_NOT_FOUND',
      },
      answerHeaders: told,
    },
    {
      name: 'without quota',
      request,
      core: { findCharacter: () => Promise.resolve(exceeded) },
      status: 429,
      answer: limited,
      answerHeaders: { ...told, 'retry-after': '60' },
    },
    {
      name: 'malformed is for the core to answer',
      request: 'GET /character?playerId=x&gameId=game_id_1',
      core,
      status: 200,
    },
    {
      ...rule,
      name: 'needs a playerId',
      request: 'GET /character?gameId=game_id_1',
      answerHolds: { issues: [{ path: 'playerId' }] },
      answerHeaders: told,
    },
    {
      ...rule,
      name: 'needs a gameId',
      request: 'GET /character?playerId=5124780131',
      answerHolds: { issues: [{ path: 'gameId' }] },
    },
    { ...rule, name: 'of one game', request: `${request}&gameId=game_id_2` },
    { ...rule, name: 'of a known game', request: 'GET /character?playerId=1&gameId=constructor' },
    { name: 'needs a subscription', request, key: EXPIRED_KEY, status: 403, asked: [], answerHeaders: told },
  ]);
});

describe('a redemption time', () => {
  const answer = {
    status: 'found',
    redeemedAt: Date.parse('2026-01-13T08:27:18.520Z'),
    expiresAt: Date.parse('2027-01-13T08:27:18.520Z'),
    channelName: 'Channel',
    openid: 'o',
    amount: 60,
    productName: '60 UC',
  } as const;
  const least = {
    redemptionTime: '2026-01-13T08:27:18.520Z',
    expirationTime: '2027-01-13T08:27:18.520Z',
    channelName: 'Channel',
    openid: 'o',
    amount: 60,
    name: '60 UC',
  };
  const more = { playerId: '5124780131', playerName: 'Player', receiptId: 9, receiptSuccessful: false };
  const core = (reply: RedemptionTimeAnswer) => ({ findRedemptionTime: () => Promise.resolve(reply) });
  const body = { code: ' SECRETCODE123456 ', gameId: 'game_id_1' };
  const asked = [['findRedemptionTime', ACTOR, { code: 'SECRETCODE123456', gameId: 'game_id_1' }]] as [
    string,
    typeof ACTOR,
    unknown,
  ][];
  const post = 'POST /redemption-time';
  const get = 'GET /redemption-time?code=SECRETCODE123456&gameId=game_id_1';
  const mustNotContain = ['SECRETCODE123456'];
  const failures: [string, RedemptionTimeAnswer, number, string][] = [
    ['not known or not redeemed', { status: 'notFound' }, 404, 'CODE_NOT_FOUND'],
    ['under way or in doubt', { status: 'underWay' }, 503, 'UNKNOWN'],
    ['platform out of reach', { status: 'unreachable' }, 503, 'NETWORK_ERROR'],
  ];
  runScenarios([
    {
      name: 'with what is known',
      request: post,
      body,
      core: core(answer),
      status: 200,
      schema: RedemptionTime,
      answer: least,
      asked,
      answerHeaders: told,
      mustNotContain,
    },
    {
      name: 'with everything',
      request: post,
      body,
      core: core({ ...answer, ...more }),
      status: 200,
      schema: RedemptionTime,
      answer: { ...least, ...more },
    },
    {
      name: 'by GET, and no log line holds the query',
      request: get,
      core: core(answer),
      status: 200,
      schema: RedemptionTime,
      answer: least,
      asked,
      answerHeaders: told,
      mustNotContain,
    },
    ...failures.flatMap(([name, reply, status, errorCode]) =>
      [post, get].map((request) => ({
        name,
        request,
        ...(request === post && { body }),
        core: core(reply),
        status,
        answer: { error: expect.any(String) as string, errorCode },
        answerHeaders: told,
        mustNotContain,
      })),
    ),
    {
      name: 'without quota',
      request: post,
      body,
      core: core(exceeded),
      status: 429,
      answer: limited,
      answerHeaders: told,
    },
    {
      name: 'needs a code',
      request: post,
      body: { gameId: 'game_id_1' },
      status: 400,
      asked: [],
      answerHolds: { issues: [{ path: 'code' }] },
      answerHeaders: told,
    },
    {
      name: 'needs a code with something in it',
      request: post,
      body: { ...body, code: ' ' },
      status: 400,
      asked: [],
    },
    { name: 'needs a game', request: 'GET /redemption-time?code=X', status: 400, asked: [] },
    { name: 'needs a body', request: post, status: 400, asked: [] },
    {
      name: 'has no DELETE',
      request: 'DELETE /redemption-time',
      status: 405,
      answerHeaders: { allow: 'POST, GET' },
    },
  ]);
});
