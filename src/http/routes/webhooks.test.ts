// /webhooks: what the core is asked for each request, and how its every answer is worded.
import { describe, expect } from 'vitest';
import { z } from 'zod';

import { ACTOR } from '../../../test/harness/scripted-core.ts';
import { runScenarios } from '../../../test/harness/scenarios.ts';
import { CoreError, type AddAnswer, type AddressFlaw, type Delivery as Owed } from '../../core/index.ts';
import { AddedWebhook, WireDelivery, WireWebhook } from '../wire/webhooks.ts';

const NOON = Date.parse('2026-01-13T12:00:00.000Z');
const url = 'https://shop.example/hook';
const on = { id: 3, url, events: ['redemption.settled' as const], createdAt: NOON };
const toldOn = { ...on, createdAt: '2026-01-13T12:00:00.000Z', enabled: true };
const off = { ...on, failingSince: NOON + 1, disabledAt: NOON + 2 };
const toldOff = {
  ...toldOn,
  enabled: false,
  failingSince: '2026-01-13T12:00:00.001Z',
  disabledAt: '2026-01-13T12:00:00.002Z',
};
const waiting: Owed = {
  id: 17,
  messageId: 'msg_000000000042',
  type: 'stock.low',
  createdAt: NOON,
  state: 'waiting',
  attempts: 0,
};
const toldWaiting = { ...waiting, createdAt: '2026-01-13T12:00:00.000Z' };

describe('registering', () => {
  const body = { url, events: ['redemption.settled'] };
  const answering = (answer: AddAnswer) => ({ webhooks: { add: () => Promise.resolve(answer) } });
  const five = 'This account has five webhooks, and there is no room for more. Remove one.';
  const known = 'This address is registered already. Remove it first to get a new secret.';
  const flaws: [AddressFlaw, string][] = [
    ['notAnAddress', 'must be an address that begins with https://'],
    ['notHttps', 'must begin with https://'],
    ['withPassword', 'must hold no user name and no password'],
    ['tooLong', 'must have at most 1,000 characters'],
    ['unknownHost', 'names a host that does not exist'],
    ['notPublic', 'leads to an address that is not public'],
    ['unresolved', 'names a host that could not be looked up: try again'],
  ];
  const events =
    'must be an array of one or more of redemption.settled, order.settled, order.waiting, stock.low, quota.used, subscription.ending';
  const request = 'POST /webhooks';
  runScenarios([
    {
      name: 'is answered 201 with the secret',
      request,
      body,
      core: answering({ status: 'added', webhook: on, secret: 'whsec_x' }),
      status: 201,
      schema: AddedWebhook,
      answer: { ...toldOn, secret: 'whsec_x' },
      asked: [['webhooks.add', ACTOR, body]],
    },
    {
      name: 'of one that is known is a 409',
      request,
      body,
      core: answering({ status: 'known' }),
      status: 409,
      answer: { error: known },
    },
    {
      name: 'of a sixth is a 409',
      request,
      body,
      core: answering({ status: 'tooMany' }),
      status: 409,
      answer: { error: five },
    },
    ...flaws.map(([flaw, message]) => ({
      name: `of an address with the flaw ${flaw} is a 400 that names it`,
      request,
      body,
      core: answering({ status: 'refused', flaw }),
      status: 400,
      answer: { error: `The request breaks a rule: url ${message}.`, issues: [{ path: 'url', message }] },
    })),
    {
      name: 'without an object is a 400 of the whole body',
      request,
      body: [body],
      status: 400,
      answer: {
        error: 'The request breaks a rule: The body must be a JSON object.',
        issues: [{ path: '', message: 'The body must be a JSON object' }],
      },
      asked: [],
    },
    ...[[], undefined, 'stock.low'].map((each) => ({
      name: `with events ${JSON.stringify(each)} is a 400 before anybody is asked`,
      request,
      body: { url, events: each },
      status: 400,
      answer: {
        error: expect.any(String) as string,
        issues: [{ path: 'events', message: `${each ? '' : 'is required and '}${events}` }],
      },
      asked: [],
    })),
  ]);
});

describe('reading', () => {
  runScenarios([
    {
      name: 'lists the addresses, those that are switched off with since when',
      request: 'GET /webhooks',
      core: { webhooks: { list: () => [on, off] } },
      status: 200,
      schema: z.array(WireWebhook),
      answer: [toldOn, toldOff],
      asked: [['webhooks.list', ACTOR]],
    },
    {
      name: 'lists deliveries, each with what is known of it',
      request: 'GET /webhooks/3/deliveries',
      core: {
        webhooks: {
          listDeliveries: () => [
            {
              ...waiting,
              attempts: 2,
              nextAttemptAt: NOON + 5,
              lastAttemptAt: NOON + 4,
              status: 500,
              problem: 'It answered 500.',
            },
            waiting,
          ],
        },
      },
      status: 200,
      schema: z.array(WireDelivery),
      answer: [
        {
          ...toldWaiting,
          attempts: 2,
          nextAttemptAt: '2026-01-13T12:00:00.005Z',
          lastAttemptAt: '2026-01-13T12:00:00.004Z',
          status: 500,
          problem: 'It answered 500.',
        },
        toldWaiting,
      ],
      asked: [['webhooks.listDeliveries', ACTOR, 3]],
    },
  ]);
});

describe('what is done about them', () => {
  const gone = () => Promise.reject(new CoreError('NOT_FOUND', 'There is no such webhook in this account.'));
  const switchedOff = () =>
    Promise.reject(new CoreError('CONFLICT', 'This webhook is switched off. Enable it first.'));
  runScenarios([
    {
      name: 'removes one',
      request: 'DELETE /webhooks/3',
      core: { webhooks: { remove: () => Promise.resolve(on) } },
      status: 204,
      asked: [['webhooks.remove', ACTOR, 3]],
    },
    {
      name: 'removes none that is not there',
      request: 'DELETE /webhooks/4',
      core: { webhooks: { remove: gone } },
      status: 404,
      answer: { error: 'There is no such webhook in this account.' },
    },
    {
      name: 'takes no number that cannot be one',
      request: 'DELETE /webhooks/03',
      status: 404,
      answer: { error: 'There is no such webhook in this account.' },
      asked: [],
    },
    {
      name: 'tests one',
      request: 'POST /webhooks/3/test',
      core: { webhooks: { test: () => Promise.resolve({ status: 'pending' as const, delivery: waiting }) } },
      status: 202,
      schema: WireDelivery,
      answer: toldWaiting,
      asked: [['webhooks.test', ACTOR, 3]],
    },
    {
      name: 'tests it ten times a minute',
      request: 'POST /webhooks/3/test',
      core: { webhooks: { test: () => Promise.resolve({ status: 'tooOften' as const }) } },
      status: 429,
      answer: { error: 'A webhook is tested at most ten times a minute. Wait a little.' },
      answerHeaders: { 'retry-after': '60' },
    },
    {
      name: 'tests none that is switched off',
      request: 'POST /webhooks/3/test',
      core: { webhooks: { test: switchedOff } },
      status: 409,
      answer: { error: 'This webhook is switched off. Enable it first.' },
    },
    {
      name: 'switches one on',
      request: 'POST /webhooks/3/enable',
      core: { webhooks: { enable: () => Promise.resolve(on) } },
      status: 200,
      schema: WireWebhook,
      answer: toldOn,
      asked: [['webhooks.enable', ACTOR, 3]],
    },
    {
      name: 'tries a delivery once more',
      request: 'POST /webhooks/3/deliveries/17/retry',
      core: { webhooks: { retry: () => Promise.resolve(waiting) } },
      status: 202,
      schema: WireDelivery,
      answer: toldWaiting,
      asked: [['webhooks.retry', ACTOR, 3, 17]],
    },
    {
      name: 'tries no delivery without a number',
      request: 'POST /webhooks/3/deliveries/x/retry',
      status: 404,
      answer: { error: 'There is no such delivery in this account.' },
      asked: [],
    },
  ]);
});
