// A receipt is the platform's: who was redeemed for, how much, and the login that is the key to it; nothing of it is
// lost or made up, and where the platform could not show it whole, the receipt says so.
import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { look } from '../run/rest.ts';
import { KEY } from '../machine/service.ts';
import type { World } from '../run/world.ts';

interface Row {
  id: number;
  reference: string;
  openid: string;
  amount: number | null;
  warning: number;
  gameId: string;
  /** Of what another past knows: it may have been in doubt there. */
  doubtedAt: number | null;
  secret: Buffer | null;
  isAwaited: number;
}

const secrets = createSecrets(KEY);
const SETTLED = `
  select id, (select reference from attempts where redemption_id = redemptions.id and n = 1) as reference, openid, amount, warning, game_id as gameId, credentials_secret as secret,
    case when actor = 'lost' then created_at else doubted_at end as doubtedAt,
    exists (select 1 from tasks where job_key = 'doubt:' || redemptions.id and run_at is not null) as isAwaited
  from redemptions where state = 'redeemed' and settled_at > ?`;

export function aReceiptIsWhatThePlatformToldOfIt({ disk, platform, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(SETTLED).all(diary.judgedUntil) as Row[]);
  return rows.flatMap((row) => {
    const told = platform.receiptOf(row.reference);
    if (!told) return [];
    // It is asked for, and judged when it came.
    if (row.isAwaited === 1) return [];
    const isLost = row.doubtedAt !== null && row.secret === null && platform.showsReceipt(row.reference);
    return isLost
      ? [`receipt ${row.id} has no login, and the platform shows it to whoever asks`]
      : compare(row, told);
  });
}

type Kept = NonNullable<ReturnType<World['platform']['receiptOf']>>;

function compare(row: Row, { receipt, fullReceipt }: Kept): string[] {
  const { id, warning, doubtedAt } = row;
  const wrong: string[] = [];
  if (row.openid !== receipt.openid) wrong.push(`receipt ${id} is of ${row.openid}, not ${receipt.openid}`);
  if (row.amount !== null && row.amount !== receipt.amount)
    wrong.push(`receipt ${id} tells of ${row.amount}, not ${receipt.amount}`);
  const login = row.secret
    ? (JSON.parse(secrets.open(`redemption:${id}:credentials`, row.secret)) as Partial<Kept['receipt']>)
    : undefined;
  // Who was in doubt may have been told of the code alone: a warning says that the rest is missing.
  const isWhole = doubtedAt === null || warning === 0;
  const isSession = row.gameId === 'game_id_3';
  if ((login || (isWhole && !isSession)) && !isSame(login, receipt))
    wrong.push(`receipt ${id} has another login than the platform's, or none`);
  if (isSession && doubtedAt === null && !isSame(login, receipt))
    wrong.push(`receipt ${id} has another session than the platform's, or none`);
  // What is found out about a code later may be found without the receipt.
  if (!isSession && doubtedAt !== null && login && fullReceipt === false && warning === 0)
    wrong.push(`receipt ${id} was found later, and does not warn of what is missing`);
  if (!isSession && doubtedAt === null && fullReceipt !== undefined && (warning === 1) === fullReceipt)
    wrong.push(`receipt ${id} ${warning === 1 ? 'warns' : 'does not warn'} of what is missing`);
  return wrong;
}

const isSame = (kept: Partial<Kept['receipt']> | undefined, told: Kept['receipt']): boolean =>
  (['uid', 'email', 'password'] as const).every((key) => kept?.[key] === told[key]);

const DAYS_MS = 3 * 24 * 60 * 60_000;
const LATE = `
  select id, (select reference from attempts where redemption_id = redemptions.id and n = 1) as reference, credentials_secret is not null as hasLogin from redemptions
  where state = 'redeemed' and doubted_at is not null and settled_at < ? and settled_at > doubted_at + 20 * 3600000`;

/** What was settled without its login, since the platform could not show it for a day, has it a few days later. */
export function aLoginThatWasHiddenComes({ disk, platform, time }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(LATE).all(time.clock.now() - DAYS_MS)) as {
    id: number;
    reference: string;
    hasLogin: 0 | 1;
  }[];
  return rows.flatMap(({ id, reference, hasLogin }) =>
    hasLogin || !platform.showsReceipt(reference) || !platform.receiptOf(reference)
      ? []
      : [`receipt ${id} still has no login, and the platform has shown it for days`],
  );
}
