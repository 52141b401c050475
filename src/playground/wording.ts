// What happened underneath, in words. Pure: rows of the books before and after, a sentence out.
import type { BatchRow, ChargeRow, ExtractionRow, PurchaseRow, RedemptionRow } from './books.ts';
import type { HappeningView } from './protocol.ts';

/** A happening whose moment is not noted yet. */
export type Told = Omit<HappeningView, 'at'>;

const tell = (kind: Told['kind'], text: string): Told => ({ kind, text });

/**
 * What to say of a redemption that stood at `before` (undefined: it was not there) and stands at `row` now.
 * `interrupted`: the process that carried it out is gone.
 */
export function wordRedemption(
  before: RedemptionRow['state'] | undefined,
  row: RedemptionRow,
  interrupted: boolean,
): Told[] {
  if (before === row.state) return [];
  const begun = before === undefined && row.charged !== null ? [wordBegin(row)] : [];
  return row.state === 'pending' ? begun : [...begun, ...wordStep(before, row, interrupted)];
}

/** What to say of a look-up that was charged, or whose charge was given back since. */
export function wordLookUp({ kind, activations, returned }: ChargeRow): Told {
  const what = kind === 'character' ? 'The player was looked up' : 'The time of a redemption was looked up';
  const outcome = returned ? 'no answer came' : `${amount(activations)} charged`;
  return tell('charge', `${what}: ${outcome}${returned ? `, ${amount(activations)} given back` : ''}`);
}

/** What to say of a payment that was not in the books, or was not refunded, at the last look. */
export function wordPurchase(row: PurchaseRow): Told {
  const what = row.kind === 'activations' ? amount(row.activations) : `${row.days} days of subscription`;
  const charge = `…${row.chargeId.slice(-SHOWN_CHARACTERS)}`;
  return row.refundedAt === null
    ? tell('payment', `${what} credited (charge ${charge}), exactly once`)
    : tell('payment', `Charge ${charge} refunded: what was unspent of ${what} is taken back`);
}

/** What to say of a batch that is complete, or undone. */
export function wordBatch({ id, added, undoneAt }: BatchRow): Told {
  return undoneAt === null
    ? tell('code', `${count(added, 'code')} added: batch ${id}, which can be undone for an hour`)
    : tell('code', `Batch ${id} undone: what was still available of it is removed`);
}

/** What to say of codes that left the database. */
export function wordExtraction({ id, denomination, codes }: ExtractionRow): Told {
  const what = `${count(codes, 'code')} of ${denomination}`;
  return tell('code', `${what} left the database for good: extraction ${id}, the same file again for a day`);
}

/** `1 code`, `1,200 codes`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

const SHOWN_CHARACTERS = 8;
const amount = (activations: number) => count(activations, 'activation');

function wordBegin({ id, mode, code, charged }: RedemptionRow): Told {
  const taken = mode === 'database' ? `Code ${code} reserved` : `Code ${code} taken as it was sent`;
  const text = `${taken}, ${amount(charged ?? 0)} charged, redemption ${id} on disk — then the platform is asked`;
  return tell('code', text);
}

function wordStep(
  before: RedemptionRow['state'] | undefined,
  row: RedemptionRow,
  interrupted: boolean,
): Told[] {
  const { id, code } = row;
  if (row.state === 'in_doubt') {
    const held = `redemption ${id} is in doubt, code ${code} held: neither spent twice nor given away`;
    const why = interrupted ? 'Nobody knows what the killed process still did' : wordDoubt(row.errorCode);
    return [tell('redemption', `${why}: ${held}`)];
  }
  if (row.state === 'redeemed') {
    const warning = row.warning ? ' (with a warning: no full receipt was found)' : '';
    return before === 'in_doubt'
      ? [tell('redemption', `Settled: it was redeemed after all, receipt ${id}${warning}`)]
      : [tell('redemption', `Redeemed: code ${code} spent, receipt ${id} on disk${warning}`)];
  }
  return [wordFailure(before, row)];
}

function wordDoubt(errorCode: string | null): string {
  return errorCode === 'INVALID_ACTIVATION_RESPONSE'
    ? 'The answer of the platform cannot be read'
    : 'The platform did not answer in time';
}

function wordFailure(before: RedemptionRow['state'] | undefined, row: RedemptionRow): Told {
  const { id, errorCode, charged, returned } = row;
  if (charged === null)
    return tell('redemption', `Refused at once (${errorCode}): nothing taken, nothing charged`);
  const activation = returned ? `${amount(charged)} given back` : `${amount(charged)} stays charged`;
  const opening =
    before === 'in_doubt'
      ? `Settled: redemption ${id} did not happen (${errorCode})`
      : `Redemption ${id} failed (${errorCode})`;
  return tell('redemption', `${opening}. ${returned ? 'Returned' : 'Kept'}: ${wordCode(row)}, ${activation}`);
}

function wordCode({ code, codeState }: RedemptionRow): string {
  switch (codeState) {
    case null:
      return `code ${code} was never in the database`;
    case 'available':
      return `code ${code} is in the stock again`;
    case 'used':
      return `code ${code} is put aside as used`;
    case 'invalid':
      return `code ${code} is put aside as invalid`;
    default:
      return `code ${code} is ${codeState}`;
  }
}
