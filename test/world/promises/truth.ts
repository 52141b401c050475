// What people and programs read of a redemption is what became of it: its player, its code, its login, its end.
import { look } from '../run/rest.ts';
import type { Words } from '../audit/said.ts';
import type { World } from '../run/world.ts';
import { hashOf } from './ledger.ts';

/** A redemption as somebody read it. */
export interface Told {
  id: number;
  by: string;
  playerId: string | undefined;
  code: string | undefined;
  login: string | undefined;
  /** undefined: not told yet. */
  end: 'redeemed' | 'failed' | undefined;
  at: number;
}

interface Row {
  id: number;
  reference: string | null;
  gameId: string;
  playerId: string;
  state: string;
  hash: Buffer | null;
}

const CARD = /^(✅|❌|❔|⚠️)[^\n]*· (?:receipt|чек) №? ?(\d+)/u;
const ENDS = { '✅': 'redeemed', '⚠️': 'redeemed', '❌': 'failed', '❔': undefined } as const;
const ROW =
  'select r.id, a.reference, r.game_id as gameId, r.player_id as playerId, r.state, r.code_hash as hash from redemptions r left join attempts a on a.redemption_id = r.id and a.n = 1 where r.id = ?';

const readToday = ({ diary, said }: World): Told[] => [
  ...diary.told,
  ...said.today.flatMap((words) => readCard(words)),
];

export function whatIsToldOfARedemptionIsTrue(world: World): string[] {
  const { disk } = world;
  const told = readToday(world);
  return look(disk.databasePath(), (file) => {
    const find = file.prepare(ROW);
    return told.flatMap((each) => {
      const row = find.get(each.id) as Row | undefined;
      return row ? compare(world, each, row) : [];
    });
  });
}

/** Also where a restore lost it. */
export const noNumberOfAReceiptIsGivenTwice = (world: World): string[] =>
  readToday(world).flatMap((told) => compareNumbers(world, told));

/** An openid is longer: of what a lost time carried out nothing else is known, until it is given to whoever repeats it. */
const LONGEST_ID = 12;

function compareNumbers({ diary }: World, { id, by, playerId }: Told): string[] {
  if (playerId === undefined || playerId.length > LONGEST_ID) return [];
  const known = diary.numbers.get(id);
  diary.numbers.set(id, known ?? playerId);
  return known === undefined || known === playerId
    ? []
    : [`${by} read ${playerId} in receipt ${id}, which was ${known}'s`];
}

function readCard({ chatId, text, at }: Words): Told[] {
  const [, mark, id] = CARD.exec(text) ?? [];
  if (mark === undefined) return [];
  return [
    {
      id: Number(id),
      by: `chat ${chatId}`,
      playerId: /, ID (\d+)/.exec(text)?.[1],
      code: /<tg-spoiler>(\d+S[A-Za-z0-9]+)</.exec(text)?.[1],
      login: /topup\.[0-9a-f]+@accounts\.invalid/.exec(text)?.[0],
      end: ENDS[mark as keyof typeof ENDS],
      at,
    },
  ];
}

function compare({ platform }: World, { id, by, playerId, code, login, end }: Told, row: Row): string[] {
  const wrong: string[] = [];
  if (playerId !== undefined && playerId !== row.playerId)
    wrong.push(`${by} read the player ${playerId} in receipt ${id} of ${row.playerId}`);
  if (code !== undefined && row.hash?.toString('hex') !== hashOf(row.gameId, code))
    wrong.push(`${by} read ${code} in receipt ${id}, which is of another code`);
  const order = login === undefined ? undefined : platform.findByLogin(login);
  if (login !== undefined && order !== row.reference)
    wrong.push(`${by} read ${login} in receipt ${id}, which is of another redemption`);
  if (end !== undefined && end !== row.state)
    wrong.push(`${by} read that ${id} is ${end}, and it is ${row.state}`);
  return wrong;
}
