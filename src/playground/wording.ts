// Events of the database in words. Pure: rows of the database before and after, a sentence in each language out.
import type {
  BatchSnapshot,
  UsageSnapshot,
  ExtractionSnapshot,
  PurchaseSnapshot,
  RedemptionSnapshot,
} from './database-view.ts';
import { nounActivations, both, nounCodes, nounDays } from './numbers.ts';
import type { EventView, Said } from './protocol.ts';

/** A event whose moment is not noted yet. */
export type Told = Omit<EventView, 'at'>;

const SHOWN_CHARACTERS = 8;

/**
 * What to say of a redemption that stood at `before` (undefined: it was not there) and stands at `row` now.
 * `interrupted`: the process that carried it out is gone.
 */
export function formatRedemption(
  before: RedemptionSnapshot['state'] | undefined,
  row: RedemptionSnapshot,
  interrupted: boolean,
): Told[] {
  if (before === row.state) return [];
  const begun = before === undefined && row.charged !== null ? [formatBegin(row)] : [];
  return row.state === 'pending' ? begun : [...begun, formatStep(before, row, interrupted)];
}

/** What to say of a look-up that was charged, or whose usage was given back since. */
export function formatLookUp({ kind, activations: charged, returned }: UsageSnapshot): Told {
  const amount = nounActivations(charged);
  const what =
    kind === 'character'
      ? both('The player was looked up', 'Игрок найден по ID')
      : both('The time of a redemption was looked up', 'Узнано время активации');
  return told(
    'usage',
    returned
      ? both(
          `${what.en}: no answer came, ${amount.en} given back`,
          `${what.ru}: ответа нет, возврат: ${amount.ru}`,
        )
      : both(`${what.en}: ${amount.en} charged`, `${what.ru}, списание: ${amount.ru}`),
  );
}

/** What to say of a payment that was not in the database, or was not refunded, at the last look. */
export function formatPurchase(row: PurchaseSnapshot): Told {
  const what =
    row.kind === 'activations'
      ? nounActivations(row.activations)
      : both(`${nounDays(row.days).en} of subscription`, `подписка на ${nounDays(row.days).ru}`);
  const charge = `…${row.chargeId.slice(-SHOWN_CHARACTERS)}`;
  return told(
    'payment',
    row.refundedAt === null
      ? both(
          `${what.en} credited (charge ${charge}), exactly once`,
          `Зачислено ровно один раз: ${what.ru} (платёж ${charge})`,
        )
      : both(
          `Charge ${charge} refunded: what was unspent of ${what.en} is taken back`,
          `Платёж ${charge} возвращён: из того, что куплено (${what.ru}), забрано неизрасходованное`,
        ),
  );
}

/** What to say of a batch that is complete, or undone. */
export function formatBatch({ id, added, undoneAt }: BatchSnapshot): Told {
  return told(
    'code',
    undoneAt === null
      ? both(
          `${nounCodes(added).en} added: batch ${id}, which can be undone for an hour`,
          `${nounCodes(added).ru} на складе: партия ${id}, её можно отменить в течение часа`,
        )
      : both(
          `Batch ${id} undone: what was still available of it is removed`,
          `Партия ${id} отменена: то, что из неё не использовано, убрано со склада`,
        ),
  );
}

/** What to say of codes that left the database. */
export function formatExtraction({ id, denomination, codes: taken }: ExtractionSnapshot): Told {
  return told(
    'code',
    both(
      `${nounCodes(taken).en} of ${denomination} left the database for good: extraction ${id}, the same file again for a day`,
      `${nounCodes(taken).ru} на ${denomination} забрано со склада насовсем: выгрузка ${id}, тот же файл ещё сутки`,
    ),
  );
}

function told(kind: Told['kind'], text: Said, redemption?: number): Told {
  return { kind, text, ...(redemption === undefined ? {} : { redemption }) };
}

function formatBegin({ id, mode, code, charged }: RedemptionSnapshot): Told {
  const amount = nounActivations(charged ?? 0);
  const taken =
    mode === 'database'
      ? both(`Code ${code} reserved`, `Код ${code} зарезервирован`)
      : both(`Code ${code} taken as it was sent`, `Код ${code} взят таким, как прислан`);
  return told(
    'code',
    both(
      `${taken.en}, ${amount.en} charged, redemption ${id} on disk — then the platform is asked`,
      `${taken.ru}, списание: ${amount.ru}, активация ${id} на диске — и только потом запрос к платформе`,
    ),
    id,
  );
}

function formatStep(
  before: RedemptionSnapshot['state'] | undefined,
  row: RedemptionSnapshot,
  interrupted: boolean,
): Told {
  const { id, code } = row;
  if (row.state === 'in_doubt') {
    const why = interrupted
      ? both('Nobody knows what the killed process still did', 'Никто не знает, что успел убитый процесс')
      : formatDoubt(row.errorCode);
    return told(
      'redemption',
      both(
        `${why.en}: redemption ${id} is in doubt, code ${code} held: neither spent twice nor given away`,
        `${why.ru}: активация ${id} под вопросом, код ${code} удержан — ни дважды потратить, ни отдать его нельзя`,
      ),
      id,
    );
  }
  if (row.state !== 'redeemed') return formatFailure(before, row);
  const warning = row.warning
    ? both(' (with a warning: no full receipt was found)', ' (с предупреждением: полного чека нет)')
    : both('', '');
  return told(
    'redemption',
    before === 'in_doubt'
      ? both(
          `Settled: it was redeemed after all, receipt ${id}${warning.en}`,
          `Выяснено: код всё-таки активирован, чек ${id}${warning.ru}`,
        )
      : both(
          `Redeemed: code ${code} spent, receipt ${id} on disk${warning.en}`,
          `Активировано: код ${code} израсходован, чек ${id} на диске${warning.ru}`,
        ),
    id,
  );
}

function formatDoubt(errorCode: string | null): Said {
  return errorCode === 'INVALID_ACTIVATION_RESPONSE'
    ? both('The answer of the platform cannot be read', 'Ответ платформы нельзя прочитать')
    : both('The platform did not answer in time', 'Платформа не ответила вовремя');
}

function formatFailure(before: RedemptionSnapshot['state'] | undefined, row: RedemptionSnapshot): Told {
  const { id, errorCode, charged, returned } = row;
  if (charged === null) {
    const text = both(
      `Refused at once (${errorCode}): nothing taken, nothing charged`,
      `Отказано сразу (${errorCode}): ничего не взято и не списано`,
    );
    return told('redemption', text, id);
  }
  const opening =
    before === 'in_doubt'
      ? both(
          `Settled: redemption ${id} did not happen (${errorCode})`,
          `Выяснено: активации ${id} не было (${errorCode})`,
        )
      : both(`Redemption ${id} failed (${errorCode})`, `Активация ${id} не удалась (${errorCode})`);
  const [amount, code] = [nounActivations(charged), formatCode(row)];
  const end = returned
    ? both(`Returned: ${code.en}, ${amount.en} given back`, `Возвращено: ${code.ru}, ${amount.ru}`)
    : both(
        `Kept: ${code.en}, ${amount.en} stays charged`,
        `Не возвращено: ${code.ru}, списание остаётся (${amount.ru})`,
      );
  return told('redemption', both(`${opening.en}. ${end.en}`, `${opening.ru}. ${end.ru}`), id);
}

function formatCode({ code, codeState }: RedemptionSnapshot): Said {
  switch (codeState) {
    case null:
      return both(`code ${code} was never in the database`, `кода ${code} на складе и не было`);
    case 'available':
      return both(`code ${code} is in the stock again`, `код ${code} снова на складе`);
    case 'used':
      return both(`code ${code} is put aside as used`, `код ${code} отложен как использованный`);
    case 'invalid':
      return both(`code ${code} is put aside as invalid`, `код ${code} отложен как неверный`);
    default:
      return both(`code ${code} is ${codeState}`, `код ${code}: ${codeState}`);
  }
}
