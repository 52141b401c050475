// The document as its readers use it: linted, each thing described, its examples one story. A client is generated from
// it for every check of the types (clients/typescript), and every answer of a test is held to it (harness/http.ts).
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, expect, test } from 'vitest';

import { openTestHttp } from '../../test/harness/http.ts';
import type { Redemption } from '../core/index.ts';
import { renderActivation } from '../wire/activation.ts';

type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: { description?: string; schema?: { description?: string } }[];
  tags?: string[];
  security?: object[];
  responses: Record<string, { headers?: object; content?: object }>;
};

/** Of the examples. */
const RECEIPT: Redemption = {
  id: 4711,
  accountId: 7,
  actor: 'apiKey:3',
  gameId: 'game_id_1',
  playerId: '5124780131',
  mode: 'database',
  denomination: 60,
  code: '60SXW4QK7H2M9TZR',
  createdAt: Date.parse('2026-01-13T08:27:18.520Z'),
  settledAt: Date.parse('2026-01-13T08:27:20.360Z'),
  doubtedAt: null,
  tookMs: 1840,
  state: 'redeemed',
  errorCode: null,
  errorMessage: null,
  codeReset: false,
  warning: false,
  openid: '29083411',
  playerName: 'Player',
  region: 'DE',
  productName: '60 UC',
  amount: 60,
  credentials: { uid: '771', email: 'account@mail.example', password: 'a password' },
};

let text: string;
let operations: [name: string, operation: Operation][];

beforeAll(async () => {
  const http = await openTestHttp();
  ({ text } = await http.ask('GET /openapi.json'));
  await http.close();
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
});

test('a linter finds no error in it, and every example is one', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'no-invalid-schema-examples': 'error',
    },
  });
  const problems = await lintFromString({ source: text, config });
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test('every operation has a name of its own, a group, and says whether it needs a key', () => {
  const names = operations.map(([, { operationId }]) => operationId);
  expect(new Set(names).size).toBe(operations.length);
  for (const [name, { operationId, tags, security }] of operations) {
    expect([name, operationId, tags?.length]).toEqual([name, expect.stringMatching(/^[a-z][A-Za-z]+$/), 1]);
    expect([name, security]).toEqual([name, expect.any(Array)]);
  }
});

test('every header is described where it is answered', () => {
  const has = (name: string, status: string, header: string) =>
    operations
      .filter(([each]) => each === name)
      .some(([, { responses }]) => header in (responses[status]?.headers ?? {}));
  for (const [name, { responses }] of operations) {
    for (const status of Object.keys(responses))
      expect([name, has(name, status, 'x-request-id')]).toEqual([name, true]);
    expect([name, has(name, 'default', 'Allow')]).toEqual([name, true]);
    if ('429' in responses) expect([name, has(name, '429', 'Retry-After')]).toEqual([name, true]);
    if ('401' in responses) expect([name, has(name, '401', 'WWW-Authenticate')]).toEqual([name, true]);
  }
  expect(has('post /redeem', '200', 'RateLimit')).toBe(true);
  expect(has('post /redeem', '200', 'RateLimit-Policy')).toBe(true);
  expect(has('post /redeem', '503', 'Idempotency-Replayed')).toBe(true);
  expect(has('get /history/{id}', '200', 'x-platform')).toBe(true);
  expect(has('get /quota', '200', 'RateLimit')).toBe(false);
});

test('each status of a path has an example of its own', () => {
  const redeem = operations.find(([name]) => name === 'post /redeem')?.[1].responses ?? {};
  const examples = Object.entries(redeem)
    .filter(([status]) => status !== '200')
    .map(([, { content }]) => JSON.stringify(content));
  expect(new Set(examples).size).toBe(examples.length);
});

test('its examples tell one story: what is sent, what is answered to it, what is listed of it', async () => {
  const { paths, components } = JSON.parse(text) as {
    paths: Record<string, { post: { responses: Record<string, { content: Record<string, object> }> } }>;
    components: {
      schemas: Record<string, { example?: object; properties: Record<string, { example?: unknown }> }>;
    };
  };
  const told = (schema: string, fields: readonly string[]) =>
    Object.fromEntries(
      fields.map((field) => [field, components.schemas[schema]?.properties[field]?.example]),
    );
  const { example: request = {} } = components.schemas['RedeemRequest']!;
  expect(told('RedeemRequest', Object.keys(request))).toEqual(request);

  const refused = {
    state: 'failed',
    errorCode: 'RISK_CONTROL',
    errorMessage: 'the platform refused',
  } as const;
  const failed: Redemption = { ...RECEIPT, ...refused, id: 4712, codeReset: true };
  const { type: _type, createdAt: _createdAt, settledAt: _settledAt, ...receipt } = renderActivation(RECEIPT);
  expect(told('ActivationReceipt', Object.keys(receipt))).toEqual(receipt);
  const failure = paths['/redeem']?.post.responses['503']?.content['application/json'];
  expect(failure).toMatchObject({ example: renderActivation(failed) });

  const { denomination, amount } = told('ExtractRequest', ['denomination', 'amount']);
  expect(told('ExtractionEntry', ['denomination', 'count'])).toEqual({ denomination, count: amount });
});

test('every field says what it is, every operation what it does, and those that are charged what they cost', () => {
  type Node = Record<string, unknown> & { $ref?: string; properties?: Record<string, Node> };
  const { paths, webhooks, components } = JSON.parse(text) as Record<string, Node> & {
    components: { schemas: Record<string, Node> };
  };
  const isTold = (field: Node): boolean =>
    Boolean(field['description']) ||
    // The one value it ever has says it, or its own fields do.
    (field['enum'] as unknown[] | undefined)?.length === 1 ||
    ['properties', 'oneOf', 'anyOf'].some((inside) => inside in field) ||
    (field.$ref !== undefined && isTold(components.schemas[field.$ref.replace(/.*\//, '')] ?? {}));
  const findUntold = (node: unknown, place: string): string[] => {
    if (typeof node !== 'object' || node === null) return [];
    const fields = place.endsWith('.example') ? {} : ((node as Node).properties ?? {});
    const untold = Object.entries(fields).filter(([, field]) => !isTold(field));
    return [
      ...untold.map(([name]) => `${place}: ${name}`),
      ...Object.entries(node).flatMap(([key, inner]) => findUntold(inner, `${place}.${key}`)),
    ];
  };
  expect(findUntold({ paths, webhooks, components }, '')).toEqual([]);
  for (const [name, operation] of operations) {
    const { summary, parameters = [], description = '' } = operation;
    expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z].{8,}/)]);
    expect([name, parameters.filter((each) => !each.description && !each.schema?.description)]).toEqual([
      name,
      [],
    ]);
    expect([name, /Costs (0\.25|1) activation/.test(description)]).toEqual([
      name,
      /\/(redeem|character|redemption-time)$/.test(name),
    ]);
  }
});

test('nothing it says is empty', () => {
  const empty: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    if (value === '' || (key === 'description' && String(value).length < 4)) empty.push(key);
    return value;
  });
  expect(empty).toEqual([]);
});

test('a field that comes later breaks no client', () => {
  expect(text).not.toContain('"additionalProperties":false');
});
