// Of the evening's audit in the chat: a receipt line by line, and what of it may be forwarded to the customer.
import { GAMES_OF_SESSIONS, formatCode } from './words.ts';
import { isNotice } from '../notice-words.ts';
import { PATIENCE_MS, readBooked, toRead, type Booked, type ChatAudit } from './books.ts';
import { dayOf, timeOf } from './calendar.ts';

const NEWEST = 'r.id in (select id from redemptions where account_id = @account order by id desc limit 40)';
const FOR_CUSTOMER = 'For the customer';

export async function receipts(audit: ChatAudit): Promise<string[]> {
  const { world, ask, rows, reader } = audit;
  const row = world.random.pick(readBooked({ rows }, NEWEST));
  if (!row) return [];
  const shown = await ask(`/receipt ${row.id}`, ({ text }) => text.includes(`receipt ${row.id}`));
  if (!shown) return [];
  const wrong = compare(audit, row, shown.text);
  if (!shown.message.buttons.some(({ text }) => text === FOR_CUSTOMER)) return wrong;
  await reader.phone.press(shown.message, FOR_CUSTOMER);
  const sent = await reader.phone.sees(
    ({ id, text }) => id > shown.message.id && !isNotice(text),
    PATIENCE_MS,
  );
  return sent ? [...wrong, ...judgeForwarded(audit, row, toRead(sent).text)] : wrong;
}

function compare(audit: ChatAudit, row: Booked, text: string): string[] {
  const { zone } = audit;
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
  const { state, code, login, amount, denomination, playerId, createdAt } = row;
  const isSession = GAMES_OF_SESSIONS.has(row.gameId);
  const wrong: string[] = [];
  const hold = (what: string, told: string | undefined, kept: string | undefined) => {
    if (told !== kept) wrong.push(`receipt ${row.id} says ${what} ${told}, and the books say ${kept}`);
  };
  if (/^\d{5,20}$/.test(playerId)) hold('player', /ID (\d+)$/m.exec(text)?.[1], playerId);
  hold('code', field('Code'), code);
  hold(
    'when',
    field('When')?.replace(/ UTC.*$/, ''),
    `${dayOf(zone, createdAt)}, ${timeOf(zone, createdAt)}`,
  );
  hold('by', field('By'), labelActor(audit, row.actor));
  hold(isSession ? 'account' : 'login', field(isSession ? 'Player account ID' : 'Login'), login?.email);
  hold('password', field(isSession ? 'Session token' : 'Password'), login?.password);
  // A unit stands behind it where the catalogue knows the game still.
  if (state === 'redeemed')
    hold('amount', /^Amount: (\d+)\b/m.exec(text)?.[1], amount === null ? undefined : String(amount));
  else
    hold(
      'wanted',
      /^Asked for: (\d+)\b/m.exec(text)?.[1],
      denomination === null ? undefined : String(denomination),
    );
  if (state === 'failed') {
    const isCharged = row.usageId !== null && row.isReturned === 0;
    hold(
      'usage',
      /^(1 activation was|Nothing was) charged/m.exec(text)?.[1],
      isCharged ? '1 activation was' : 'Nothing was',
    );
    const [told, kept] = formatCode(audit, row, text);
    hold('fate of the code', told, kept);
    const next = field('Next') ?? 'nothing';
    if (!helpsAfter(row).test(next)) wrong.push(`receipt ${row.id} of ${row.errorCode} says next: ${next}`);
  }
  return wrong;
}

/** Of a code that is under way elsewhere, and where it is not known, something else helps. */
function helpsAfter({ errorCode, mode }: Booked): RegExp {
  switch (errorCode) {
    case 'NO_CODES_AVAILABLE':
      return /^choose another denomination/;
    case 'CHARACTER_NOT_FOUND':
      return /^check the ID/;
    case 'INVALID_CODE':
    case 'CODE_USED':
      return mode === 'direct' ? /^(send another code|wait)/ : /^(try again, I will take another|wait)/;
    default:
      return /^(wait|send another code)/;
  }
}

const MEMBER = 'select name from members where telegram_id = @id and account_id = @account';
const PREFIX = 'select prefix from api_keys where id = @id and account_id = @account';

function labelActor({ rows }: ChatAudit, actor: string): string {
  const [kind, id] = actor.split(':');
  if (kind === 'host') return 'the service administrator';
  if (kind === 'lost') return 'carried out in the lost time';
  if (kind === 'member')
    return rows<{ name: string }>(`${MEMBER}`, { id: Number(id) })[0]?.name ?? `a former member (${id})`;
  return `API key ${rows<{ prefix: string }>(PREFIX, { id: Number(id) })[0]?.prefix ?? id}…`;
}

/** Nothing of the code, of credentials, of whoever works here. */
function judgeForwarded({ world }: ChatAudit, row: Booked, text: string): string[] {
  const { code, login, actor } = row;
  const names = world.people.map(({ name }) => name);
  const forbidden = [code, login?.email, login?.password, actor.split(':')[1], ...names].filter(
    (each) => each !== undefined && each.length > 4,
  );
  const leaked = forbidden.find((each) => text.includes(each as string));
  if (leaked !== undefined || /crs_|charged|stock/i.test(text))
    return [`what the customer is sent of ${row.id} says ${leaked ?? 'too much'}`];
  return text.includes(row.playerId) || !/^\d+$/.test(row.playerId)
    ? []
    : [`what the customer is sent of ${row.id} names another player`];
}
