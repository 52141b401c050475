// The code database on the wire: what is added, what is there, what is taken out.
import { z } from '@hono/zod-openapi';

import type { AddedCodes, ExtractionSummary, Game, Games } from '../core/index.ts';
import {
  Code,
  CountByAmount,
  countsByAmount,
  Denomination,
  formatTimestamp,
  managedGameIdField,
  rule,
  Time,
} from './fields.ts';
import { instant } from './instants.ts';

export const MAX_CODES = 10_000;

export function createDatabaseQuery(games: Games) {
  return z.object({ gameId: managedGameIdField(games) });
}

/** Of lists of extractions. */
export const PageQuery = z.object({ before: instant(Math.ceil, 'Strictly before this time') });

export const Inventory = CountByAmount.openapi('Inventory', {
  description: 'Codes that can be taken, by denomination',
  example: { '60': 12, '325': 0 },
});

/** A code that breaks the game's pattern passes: it is told in `invalid`, not refused. */
export const AddCodesBody = z
  .array(
    z.object(
      {
        denomination: Denomination,
        codes: z
          .array(z.string({ error: 'must be a string' }), { error: rule('must be an array of strings') })
          .openapi({ description: 'Codes of this denomination', example: ['60SXW4QK7H2M9TZR'] }),
      },
      { error: 'must be an object of denomination and codes' },
    ),
    { error: 'The body must be an array: [{ "denomination": 60, "codes": ["…"] }]' },
  )
  .refine((stockKeys) => stockKeys.reduce((total, { codes }) => total + codes.length, 0) <= MAX_CODES, {
    message: `The body holds more than ${MAX_CODES} codes: send them in several requests`,
  })
  .openapi('AddCodesRequest');
export type AddCodesBody = z.infer<typeof AddCodesBody>;

export const AddedCodesAnswer = z
  .strictObject({
    inventory: Inventory,
    accepted: CountByAmount.openapi({
      description: 'Codes added, by denomination; every denomination of the game',
      example: { '60': 1, '325': 0 },
    }),
    used: z.array(Code).openapi({ description: 'This account has the code already, or it was redeemed' }),
    disowned: z.array(Code).openapi({ description: 'The code belongs to another account' }),
    invalid: z.array(Code).openapi({ description: "The code breaks the game's pattern" }),
  })
  .openapi('AddedCodes');
export type AddedCodesAnswer = z.infer<typeof AddedCodesAnswer>;

/** `inventory` is the stock after the codes were added. */
export function renderAddedCodes(
  added: AddedCodes,
  { denominations }: Pick<Game, 'denominations'>,
  inventory: ReadonlyMap<number, number>,
): AddedCodesAnswer {
  const accepted = new Map(denominations.map((each) => [each, added.accepted.get(each) ?? 0]));
  return {
    inventory: countsByAmount(inventory),
    accepted: countsByAmount(accepted),
    used: added.used,
    disowned: added.disowned,
    invalid: added.invalid,
  };
}

export const ExtractBody = z
  .object(
    {
      denomination: Denomination,
      amount: z
        .int({ error: rule(`must be an integer from 1 to ${MAX_CODES}`) })
        .min(1, `must be an integer from 1 to ${MAX_CODES}`)
        .max(MAX_CODES, `must be an integer from 1 to ${MAX_CODES}`)
        .openapi({ description: 'Codes at most', example: 10 }),
    },
    { error: 'The body must be a JSON object' },
  )
  .openapi('ExtractRequest');

export const ExtractedCodes = z.array(Code).openapi('ExtractedCodes', {
  description: 'In the order in which they would be redeemed; they have left the database',
});

export const ExtractionEntry = z
  .strictObject({
    id: z.int().openapi({ description: 'For GET /db/extractions/{id}', example: 12 }),
    createdAt: Time,
    denomination: z.int().openapi({ description: 'Of the codes', example: 60 }),
    count: z.int().openapi({ description: 'Codes taken out', example: 10 }),
  })
  .openapi('ExtractionEntry');
export type ExtractionEntry = z.infer<typeof ExtractionEntry>;

export function renderExtraction({ id, createdAt, denomination, count }: ExtractionSummary): ExtractionEntry {
  return { id, createdAt: formatTimestamp(createdAt), denomination, count };
}
