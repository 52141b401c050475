// What people and programs do while an order of theirs is in doubt for long, and what they must be told: it has no end
// yet, whoever asks for the same is warned, its key is its own for as long as it takes, and its code is nowhere else.
import type { Seeded } from '../../harness/seeded.ts';
import { call } from '../people/client.ts';
import { openOf } from '../people/checker.ts';
import { selvesOf } from '../people/index.ts';
import { findButton, hasButton, REDEEM } from '../people/phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const ANSWERED_MS = 8_000;
const DOUBTS = `
  select id, account_id as accountId, player_id as playerId, denomination, created_at as createdAt from redemptions
  where state in ('pending', 'in_doubt') and game_id = 'game_id_1' and mode = 'database' order by id desc`;
const MAY =
  "select 1 from members where telegram_id = ? and account_id = ? and role in ('owner', 'admin', 'operator')";

interface Row {
  id: number;
  accountId: number;
  playerId: string;
  denomination: number;
  createdAt: number;
}

const findDoubts = ({ disk }: World): Row[] =>
  look(disk.databasePath(), (file) => file.prepare(DOUBTS).all() as Row[]);

/** A program that reads what there is: what is in doubt has not gone well, and has no end. */
export async function readHistory(world: World): Promise<void> {
  const { diary, shops } = world;
  for (const doubt of findDoubts(world).slice(0, 3)) {
    const shop = shops.find(({ accountId }) => accountId === doubt.accountId);
    if (!shop) continue;
    const answer = await call(world, { shop, name: 'a program that reads' }, '/history');
    if (answer?.status !== 200 || !findDoubts(world).some(({ id }) => id === doubt.id)) continue;
    const listed = answer.json as { id: number; error: boolean; settledAt?: string }[];
    const line = listed.find(({ id }) => id === doubt.id);
    if (line && (!line.error || line.settledAt !== undefined))
      diary.amissBeside.push(`a program reads of ${doubt.id}, which is in doubt: ${JSON.stringify(line)}`);
  }
}

/** A colleague is asked for the same by the same customer. */
export async function askForTheSame(world: World, random: Seeded): Promise<void> {
  const { diary, disk } = world;
  const may = (id: number, accountId: number) =>
    look(disk.databasePath(), (file) => file.prepare(MAY).get(id, accountId)) !== undefined;
  for (const doubt of findDoubts(world).slice(0, 3)) {
    const colleagues = selvesOf(world, 'operator').filter(({ phone }) => may(phone.user.id, doubt.accountId));
    const self = colleagues.length > 0 ? random.pick(colleagues) : undefined;
    if (!self) continue;
    const { playerId, denomination, id } = doubt;
    const fits = hasButton(REDEEM);
    const card = await self.phone.ask(
      `/redeem ${playerId} ${denomination}`,
      (message) => fits(message) && message.text.includes(playerId),
      ANSWERED_MS,
    );
    const isOpen = findDoubts(world).some((each) => each.id === id);
    // Who has last redeemed for another game is asked about that one.
    if (card && !isOfGame(world, card.text)) continue;
    const label = card && findButton(card, REDEEM)?.text;
    if (isOpen && label === 'Redeem')
      diary.amissBeside.push(
        `${self.name} is asked about ${denomination} for ${playerId} as if ${id} were not in doubt`,
      );
  }
}

/** Whether a card is of the game of the doubts. */
function isOfGame({ service }: World, text: string): boolean {
  const [, shown] = /^Game: (.+)$/m.exec(text) ?? [];
  const others = service.games.filter(({ id }) => id !== 'game_id_1');
  return !others.some(({ name }) => name.en === shown);
}

export async function askAboutCodes(world: World, random: Seeded): Promise<void> {
  const open = world.shops.flatMap((shop) =>
    shop.minted().filter((code) => openOf(world, code) !== undefined),
  );
  const programs = selvesOf(world, 'checker');
  const code = open.length > 0 ? random.pick(open) : undefined;
  const program = programs.length > 0 ? random.pick(programs) : undefined;
  if (code === undefined || !program) return;
  const before = openOf(world, code);
  const body = { gameId: 'game_id_1', code };
  const answer = await call(world, program, '/redemption-time', { body });
  if (answer?.status === 404 && openOf(world, code) === before)
    world.diary.amissBeside.push(
      `${program.name} was told that ${code} is not redeemed, and redemption ${String(before)} of it is open`,
    );
}

/** Whoever sends the number of an order that is in doubt means that order, however long ago it was. */
export async function repeatKeys(world: World): Promise<void> {
  const { diary } = world;
  const isOpen = (id: number) => findDoubts(world).some((doubt) => doubt.id === id);
  for (const { by, key, body, answers } of diary.wishes) {
    const id = answers.at(-1)?.id;
    const self = selvesOf(world, 'client').find(({ name }) => name === by);
    if (key === undefined || id === undefined || !self || !isOpen(id)) continue;
    const answer = await call(world, self, '/redeem', { body, key });
    const { id: told } = (answer?.json ?? {}) as { id?: number };
    if (told !== undefined && told !== id && isOpen(id))
      diary.amissBeside.push(`${by} sends ${key} again, whose ${id} is in doubt, and is told of ${told}`);
  }
}

/** A code that was sent with an order is in no stock before that order has its end. */
export async function listTheCodes(world: World): Promise<void> {
  const { diary } = world;
  for (const { by, body } of diary.wishes) {
    const { gameId, codeOverride } = body as { gameId?: string; codeOverride?: string };
    const code = codeOverride?.trim();
    const self = selvesOf(world, 'client').find(({ name }) => name === by);
    if (code === undefined || gameId !== 'game_id_1' || !self) continue;
    const open = openOf(world, code);
    if (open === undefined) continue;
    const list = [{ denomination: 60, codes: [code] }];
    const answer = await call(world, self, '/db?gameId=game_id_1', { body: list });
    const { accepted } = (answer?.json ?? {}) as { accepted?: Record<string, number> };
    if (answer?.status === 200 && accepted?.[60] !== 0 && openOf(world, code) === open)
      diary.amissBeside.push(`${by} listed ${code}, which ${open} has in doubt, and it was accepted`);
  }
}

const FOR_THE_CUSTOMER = /^(For the customer|Для клиента)$/;
const NOT_REDEEMED =
  /Not redeemed|did not go through|Nothing was topped up|Не активировано|не прошло|Ничего не зачислено/;
const MAY_READ = "select 1 from members where telegram_id = ? and account_id = ? and role <> 'operator'";

/** Support pulls the receipt, and sends it to the customer: nobody is told that it failed. */
export async function showReceipts(world: World, random: Seeded): Promise<void> {
  const { diary, disk } = world;
  for (const { id, accountId } of findDoubts(world).slice(0, 2)) {
    const readers = selvesOf(world, 'support').filter(({ phone }) =>
      look(disk.databasePath(), (file) => file.prepare(MAY_READ).get(phone.user.id, accountId)),
    );
    const reader = readers.length > 0 ? random.pick(readers) : undefined;
    if (!reader) continue;
    const told = [];
    const receipt = await reader.phone.ask(`/receipt ${id}`, hasButton(FOR_THE_CUSTOMER), ANSWERED_MS);
    if (receipt) told.push(receipt, await reader.phone.press(receipt, FOR_THE_CUSTOMER));
    const isOfIt = new RegExp(`\\b${id}\\b`);
    const wrong = told.find(
      (message) => message && isOfIt.test(message.text) && NOT_REDEEMED.test(message.text),
    );
    if (wrong && findDoubts(world).some((doubt) => doubt.id === id))
      diary.amissBeside.push(`${reader.name} is told of ${id}, which is in doubt: ${wrong.text}`);
  }
}
