// Of the evening's audit: what is told of batches and extractions is what became of their codes, in the chat and over
// HTTP.
import { managesOne } from '../../machine/catalogue.ts';
import { call } from '../../people/client.ts';
import { differ, openAll, PATIENCE_MS, type ChatAudit } from './books.ts';

const FATES: Readonly<Record<string, string>> = {
  available: 'available',
  unverified: 'available',
  reserved: 'being redeemed',
  in_doubt: 'in doubt',
  in_question: 'in question',
  redeemed: 'redeemed',
  extracted: 'taken out',
  undone: 'taken back',
  used: 'used or invalid',
  invalid: 'used or invalid',
};
const OF_BATCH = 'select state, count(*) as count from codes where batch_id = @id group by 1';
const OWN = 'select id, added from batches where id = @id and account_id = @account';

export async function batches({ ask, rows }: ChatAudit): Promise<string[]> {
  const shown = await ask('/batches', ({ text }) => /last batches|Nothing was added/.test(text));
  if (!shown) return [];
  return shown.text.split('\n\n').flatMap((block) => {
    const [, id, added, fates = ''] = /^Batch (\d+)[^]*\n(\d+) codes? added(?:\n(.*))?$/.exec(block) ?? [];
    if (id === undefined) return [];
    const [own] = rows<{ added: number }>(OWN, { id: Number(id) });
    if (!own) return [`batch ${id} is listed, and is not theirs`];
    const kept = new Map<string, number>();
    for (const { state, count } of rows<{ state: string; count: number }>(OF_BATCH, { id: Number(id) }))
      kept.set(FATES[state] ?? state, (kept.get(FATES[state] ?? state) ?? 0) + count);
    const told = fates === '' ? [] : fates.split(', ').map((fate) => fate.trim());
    const due = [...kept].map(([fate, count]) => `${count} ${fate}`);
    return [
      ...differ(`batch ${id}`, [added ?? ''], [String(own.added)]),
      ...differ(`batch ${id}`, told.toSorted(), due.toSorted()),
    ];
  });
}

const EXTRACTED = `
  select e.id, e.at, e.denomination, (select count(*) from codes c where c.extraction_id = e.id) as count from extractions e
  where e.account_id = @account and e.game_id = 'game_id_1' order by e.at desc, e.id desc limit 100`;
const IN_ORDER = `
  select code_hash as hash, code_secret as secret from codes where extraction_id = @id order by returns, id`;

/** How many each has taken; the codes in their order; however long ago. */
export async function extractions({ world, shop, rows }: ChatAudit): Promise<string[]> {
  if (world.diary.isCalendarWrongToday) return [];
  const program = { name: `the auditor of shop ${shop.number}`, shop };
  const answer = await call(world, program, '/db/extractions?gameId=game_id_1');
  if (answer?.status !== 200) return [];
  const booked = rows<{ id: number; at: number; denomination: number; count: number }>(EXTRACTED);
  const word = ({
    id,
    denomination,
    count,
  }: Pick<(typeof booked)[number], 'id' | 'denomination' | 'count'>) => `${id} of ${denomination}: ${count}`;
  const wrong = differ('extractions', (answer.json as typeof booked).map(word), booked.map(word));
  const recent = booked.find(({ count }) => count > 1);
  const codes = recent && (await call(world, program, `/db/extractions/${recent.id}`));
  if (recent && codes?.status === 200)
    wrong.push(
      ...differ(
        `extraction ${recent.id}`,
        codes.json as string[],
        openAll(rows(IN_ORDER, { id: recent.id })),
      ),
    );
  return wrong;
}

const TAKEABLE = `
  select count(*) as count from codes
  where account_id = @account and game_id = 'game_id_1' and denomination = 60 and state in ('available', 'unverified')`;
const MORE_THAN_THERE_IS = 7;

/** Whoever asks for more than there is is asked about what there is. */
export async function extractable({ world, ask, rows, reader }: ChatAudit): Promise<string[]> {
  if (!managesOne(world.service.games)) return [];
  const count = () => rows<{ count: number }>(TAKEABLE)[0]?.count ?? 0;
  const there = count();
  const asked = there + MORE_THAN_THERE_IS;
  const shown = await ask(`/extract_codes 60 ${asked}`, ({ text }) => /Take out|no codes/.test(text));
  if (!shown || count() !== there) return [];
  await reader.phone.ask('/cancel', () => true, PATIENCE_MS);
  const [, told] = /Take out (\d+) codes?/.exec(shown.text) ?? [];
  const [, stock] = /In stock: (\d+)/.exec(shown.text) ?? [];
  const kept = there === 0 ? ['undefined', 'undefined'] : [there, there];
  return differ(`of ${asked} that were asked for`, [String(told), String(stock)], kept.map(String));
}
