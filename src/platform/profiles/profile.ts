// A profile: the wire of an upstream as a file. One schema, which refuses at the start what could call a code unspent
// that may be spent: a timeout, a 408, a 5xx, or an answer of which nothing was looked at, proves nothing.
import { z } from 'zod';

import { listPlaceholders, Pointer, type JsonValue, type Placeholder } from './templates.ts';

/** What decides nothing, so that any answer may mean it; a name that is found speaks for itself. */
const HARMLESS = ['underWay', 'unknown', 'notTold', 'found'];
/** What is believed only where the body says so, never for a status alone. */
const SAID_BY_BODY = ['redeemed', 'usedBy', 'unused'];
/** What names an order of ours: a player may have had others. */
const OURS = ['code', 'reference'].flatMap((name) => [`{${name}}`, `{${name}:number}`]);
/** Of what a meaning tells, one must be there. */
const TOLD: Record<string, readonly (keyof WireFields)[]> = {
  usedBy: ['playerId', 'openid'],
  found: ['name'],
};

type Context = z.core.$RefinementCtx;

function refuse(context: Context, path: (string | number)[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}

/** Texts and JSON in which only these placeholders may stand. */
function templated<T extends z.ZodType<JsonValue>>(schema: T, known: readonly Placeholder[]) {
  return schema.superRefine((template, context: Context) => {
    for (const name of listPlaceholders(template)) {
      if (!known.some((each) => each === name))
        refuse(context, [], `{${name}} is not known here: use ${known.join(', ')}`);
    }
    const written = JSON.stringify(template);
    if ((written.match(/\{[A-Za-z]+(:number)?\}/g) ?? []).length > listPlaceholders(template).length)
      refuse(context, [], 'a name is sent as it stands: nothing is filled into it');
    if (written.includes('{reference:number}')) refuse(context, [], 'a reference is no number');
  });
}

const header = z.string().regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header');

/** `must`: of each of these it sends one. */
const request = (known: readonly Placeholder[], ...must: readonly Placeholder[][]) => {
  const fields = z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT']),
    path: templated(z.string().regex(/^\/[^#]*$/, 'must begin with / and have no #'), known),
    headers: z.record(header, templated(z.string(), known)).optional(),
    body: templated(z.json(), known).optional(),
    form: z
      .record(z.string().regex(/^[^{}]+$/, 'must be the name of a field'), templated(z.string(), known))
      .optional(),
  });
  return fields.superRefine(
    ({ method, path, headers = null, body = null, form = null }, context: Context) => {
      const sent = listPlaceholders([path, headers, body, form]);
      for (const names of must)
        if (!names.some((name) => sent.includes(name)))
          refuse(context, [], `it sends no ${names.map((name) => `{${name}}`).join(' and no ')}`);
      if (body !== null && form) refuse(context, ['form'], 'stands in place of a body: one of both');
      if (method === 'GET' && (body !== null || form))
        refuse(context, ['method'], 'GET has no body: put it into the path, or use POST');
    },
  );
};

const texts = { name: Pointer, openid: Pointer, theirId: Pointer, playerId: Pointer, productName: Pointer };
const logins = { region: Pointer, uid: Pointer, email: Pointer, password: Pointer };

/** Where an answer tells what. `digits`: the one run of digits of a text, as in "60 UC". */
export const WireFields = z
  .strictObject({
    ...texts,
    ...logins,
    amount: z.union([Pointer, z.strictObject({ at: Pointer, as: z.literal('digits') })]),
    time: z.strictObject({ at: Pointer, as: z.enum(['iso', 'seconds', 'milliseconds']) }),
  })
  .partial();
export type WireFields = z.infer<typeof WireFields>;

/** Rules for the answers to what knew these placeholders. */
function rules<M extends string>(means: readonly M[], known: readonly Placeholder[], mustName = false) {
  const value = templated(z.union([z.string(), z.number(), z.boolean(), z.null()]), known);
  const rule = z.strictObject({
    http: z.array(z.union([z.int().min(100).max(599), z.literal('timeout')])).min(1),
    where: z.record(Pointer, z.union([value, z.array(value).min(1)])).optional(),
    means: z.enum(means),
    receipt: WireFields.optional(),
    tells: WireFields.optional(),
  });
  return z.array(rule.superRefine((each, context) => refuseUnproven(each, mustName, context))).min(1);
}

export interface WireRule<M extends string = string> {
  http: readonly (number | 'timeout')[];
  where?: Record<string, Scalar | Scalar[]> | undefined;
  means: M;
  receipt?: WireFields | undefined;
  tells?: WireFields | undefined;
}

type Scalar = string | number | boolean | null;

/** `mustName`: a record that names nothing of ours may be another's. */
function refuseUnproven(
  { http, where, means, ...rule }: WireRule,
  mustName: boolean,
  context: Context,
): void {
  const told = TOLD[means];
  const mistake = (path: (string | number)[], why: string) =>
    refuse(context, path, `${why}: it may not mean ${means}`);
  if (told && !told.some((name) => rule.tells?.[name]))
    mistake(['tells'], `it does not say where ${told.join(' or ')} lies`);
  if (HARMLESS.includes(means)) return;
  const conditions = Object.values(where ?? {});
  if (where && conditions.length === 0) mistake(['where'], 'an empty condition fits every answer');
  if (!where && SAID_BY_BODY.includes(means)) mistake(['where'], 'nothing of the body is looked at');
  if (mustName && !conditions.some((each) => [each].flat().every((one) => OURS.includes(String(one)))))
    mistake(['where'], `no condition names our ${OURS.join(', ')}`);
  for (const [index, status] of http.entries()) {
    if (status === 'timeout' || status === 408) mistake(['http', index], `${status} proves nothing`);
    else if ((status >= 500 || status < 400) && conditions.length === 0)
      mistake(['http', index], `${status} without a condition on its body proves nothing`);
  }
}

const OF_ORDERS = [
  ...(['redeemed', 'usedByPlayer', 'CODE_USED', 'INVALID_CODE', 'CHARACTER_NOT_FOUND'] as const),
  ...(['NO_ACCOUNTS_AVAILABLE', 'LOGIN_FAILED', 'RISK_CONTROL', 'NETWORK_ERROR'] as const),
  ...(['refusedUs', 'underWay', 'unknown'] as const),
] as const;
export type OrderMeaning = (typeof OF_ORDERS)[number];
const OF_CODES = ['usedBy', 'unused', 'underWay', 'notTold'] as const;
export type CodeMeaning = (typeof OF_CODES)[number];
const OF_PLAYERS = ['found', 'notFound', 'unknown'] as const;
export type CharacterMeaning = (typeof OF_PLAYERS)[number];

const ORDER = ['code', 'playerId', 'denomination', 'gameId', 'reference', 'token'] as const;
const CODE = ['code', 'gameId', 'token'] as const;
const PLAYER = ['playerId', 'gameId', 'token'] as const;
const JOB = [...ORDER, 'jobId'] as const;

/** The file. What is null or left out, the upstream does not have. */
export const Profile = z.strictObject({
  /** A header of every request. */
  auth: z.strictObject({ header, value: templated(z.string(), ['token']) }).optional(),
  /** So long after it was sent, an order may still be carried out. */
  settlingMs: z
    .int()
    .min(1_000)
    .max(24 * 60 * 60_000),
  redeem: z.strictObject({
    request: request(ORDER, ['code'], ['playerId']),
    /** What an order must have to be sent this way. */
    needs: z.array(z.enum(['denomination'])).optional(),
    answers: rules(OF_ORDERS, ORDER),
  }),
  /** Where an order is answered by an id, under which its end is asked for. */
  job: z
    .strictObject({
      idAt: Pointer,
      request: request(JOB, ['jobId', 'reference']),
      everyMs: z.int().min(100).max(60_000),
      answers: rules(OF_ORDERS, JOB, true),
    })
    .nullish(),
  /** What became of a code. */
  lookup: z
    .strictObject({
      request: request(CODE, ['code']),
      answers: rules(OF_CODES, CODE),
    })
    .nullish(),
  /** Who a player is. */
  character: z
    .strictObject({ request: request(PLAYER, ['playerId']), answers: rules(OF_PLAYERS, PLAYER) })
    .nullish(),
  /** Any 2xx says that it is there. Without it, any answer at all to GET / does. */
  ping: z.strictObject({ request: request(['token']) }).nullish(),
});
export type Profile = z.infer<typeof Profile>;
