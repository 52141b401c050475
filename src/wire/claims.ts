// Claim links on the wire: what is asked for them, a claim as it is told to readers and to webhooks, and the links
// themselves, which the answer to their own request alone has.
import { z } from '@hono/zod-openapi';

import { LARGEST_ORDER_AMOUNT, MOST_CLAIMS } from '../core/index.ts';
import type { ClaimRecord, ClaimTerms, Games } from '../core/index.ts';
import { LANGUAGES } from '../locales.ts';
import { formatTimestamp, GameId, managedGameIdField, rule, Time, ToldPlayerId } from './fields.ts';
import { instant } from './instants.ts';
import { Reference } from './order-request.ts';
import { OrderId } from './orders.ts';

const STATES = [
  'open',
  'confirmed',
  'settled',
  'stuck',
  'revoked',
  'expired',
] as const satisfies ClaimRecord['state'][];

/** The identifier of a claim, in a path. */
export const ClaimId = z
  .string()
  .openapi({ description: 'Identifier of the claim; no link', example: 'clm_0aKc4uVQ2mXb7TzR1wJd9e' });

const whole = (least: number, most: number) => {
  const words = `must be a whole number from ${least} to ${most}`;
  return z
    .int({ error: rule(words) })
    .min(least, words)
    .max(most, words);
};

/** The words for a field that there is not, which is refused; else these. */
const orUnknown =
  (words: string) =>
  (issue: { code: string; keys?: string[] }): string =>
    issue.code === 'unrecognized_keys' ? `has no field ${issue.keys?.join(', ')}: leave it out` : words;

/** The schema for this catalogue, built once. */
export function createClaimsBody(games: Games): z.ZodType<ClaimTerms> {
  return z
    .strictObject(
      {
        gameId: managedGameIdField(games),
        denomination: whole(1, LARGEST_ORDER_AMOUNT)
          .optional()
          .openapi({ description: 'What each link is for; exactly one of it and `amount`', example: 660 }),
        amount: whole(1, LARGEST_ORDER_AMOUNT).optional().openapi({
          description: 'A sum to be composed exactly, for each link alike, of what is available',
          example: 720,
        }),
        count: whole(1, MOST_CLAIMS).openapi({ description: 'How many links', example: 100 }),
        expiresAt: instant(
          Math.floor,
          'Until when they can be used: in the future, 400 days at most; in 90 days if left out',
          '2026-04-13T00:00:00.000Z',
        ),
        reference: Reference.optional(),
        language: z
          .enum(LANGUAGES, { error: `must be one of ${LANGUAGES.join(', ')}` })
          .optional()
          .openapi({ description: 'Of their page; the one of the browser if left out', example: 'en' }),
      },
      { error: orUnknown('The body must be a JSON object') },
    )
    .superRefine(({ denomination, amount, gameId }, context) => {
      const add = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if ((denomination === undefined) === (amount === undefined))
        add('denomination', 'and amount exclude each other: send exactly one of them');
      const known = games.find(gameId)?.denominations ?? [];
      if (denomination !== undefined && !known.includes(denomination))
        add('denomination', `must be one that ${gameId} has: ${known.join(', ')}`);
    })
    .openapi('ClaimsRequest', {
      example: { gameId: games.managed[0]?.id ?? '', denomination: 660, count: 100 },
    });
}

const FIELDS = {
  type: z.literal('Claim'),
  id: ClaimId,
  state: z.enum(STATES).openapi({
    description:
      '`open`: nobody has used it; `confirmed`: somebody has confirmed a player, and its order goes on; `settled`: all is redeemed; `stuck`: it does not go on by itself, `trouble` says why; `revoked` and `expired` open nothing any more',
    example: 'open',
  }),
  trouble: z.enum(['shortage', 'lookUps', 'stopped', 'afterRestore']).optional().openapi({
    description:
      '`shortage`: its codes are not in stock any more; `lookUps`: too many players were looked up by it, or do not exist; `stopped`: its order stopped; `afterRestore`: it may have been used in the time that a restore has lost',
    example: 'shortage',
  }),
  gameId: GameId,
  items: z
    .array(
      z.strictObject({
        denomination: z.int().openapi({ description: 'Of the codes', example: 660 }),
        count: z.int().openapi({ description: 'How many of them', example: 1 }),
      }),
    )
    .openapi({ description: 'What it is for' }),
  amount: z.int().openapi({ description: 'Their sum', example: 660 }),
  promised: z.int().openapi({
    description: 'How many of its codes the stock keeps for it; 0 once they are redeemed',
    example: 1,
  }),
  reference: z.string().optional().openapi({ description: 'As it was sent', example: 'INV-1001' }),
  language: z
    .enum(LANGUAGES)
    .optional()
    .openapi({ description: 'Of its page, as it was sent', example: 'en' }),
  createdAt: Time,
  expiresAt: Time,
  confirmedAt: Time.optional(),
  orderId: OrderId.optional().openapi({ description: 'The order by which it is redeemed, once confirmed' }),
  playerId: ToldPlayerId.optional(),
  playerName: z.string().optional().openapi({ description: 'Where the platform told it', example: 'Player' }),
};

export const WireClaim = z.strictObject(FIELDS).openapi('Claim', {
  description: 'A link by which whoever has it is redeemed what it is for. No link is in it',
});
export type WireClaim = z.infer<typeof WireClaim>;

export const IssuedClaims = z
  .strictObject({
    claims: z
      .array(
        z
          .strictObject({
            ...FIELDS,
            url: z.string().openapi({
              description: 'The link: whoever has it can use it, so that it is kept like a code',
              example: 'https://codes.example/c/Z8Qk1v0mX4bT7rJd2eWc9a',
            }),
          })
          .openapi('IssuedClaim'),
      )
      .openapi({ description: 'As they are now, in the order in which they were made' }),
    promised: z.int().openapi({ description: 'Codes that the stock keeps for all of them', example: 100 }),
  })
  .openapi('IssuedClaims');
export type IssuedClaims = z.infer<typeof IssuedClaims>;

export const ClaimsQuery = z.strictObject(
  {
    state: z
      .enum(STATES, { error: `must be one of ${STATES.join(', ')}` })
      .optional()
      .openapi({ description: 'Those that are so', example: 'stuck' }),
    reference: z.string().optional().openapi({ description: 'Those of this reference', example: 'INV-1001' }),
    before: z.string().optional().openapi({
      description: 'Those that are older than this claim: the `id` of the last of the page before',
      example: 'clm_0aKc4uVQ2mXb7TzR1wJd9e',
    }),
  },
  { error: orUnknown('must be fields of a query') },
);

export const ClaimConflict = z
  .strictObject({
    error: z.string().openapi({ description: 'One sentence a person can act on' }),
    errorCode: z
      .enum(['CLAIM_IN_USE', 'CLAIM_NOT_STUCK'])
      .openapi({ description: 'Which of the cases it is', example: 'CLAIM_IN_USE' }),
  })
  .openapi('ClaimConflict');

export function renderClaim({
  createdAt,
  expiresAt,
  confirmedAt,
  language,
  ...claim
}: ClaimRecord): WireClaim {
  return {
    type: 'Claim',
    ...claim,
    language: LANGUAGES.find((one) => one === language),
    createdAt: formatTimestamp(createdAt),
    expiresAt: formatTimestamp(expiresAt),
    confirmedAt: formatTimestamp(confirmedAt),
  };
}
