// One order is one redemption, of what the card said: whoever pressed under two cards has two, however often they
// pressed. One confirmation is one extraction, whichever of its amounts were pressed.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

interface Row {
  actor: string;
  playerId: string;
  denomination: number | null;
  count: number;
}

/** Of an order of several a code that was not redeemed is tried once more. */
const BEGUN = `
  select actor, player_id as playerId, denomination, count(*) as count from redemptions r
  where actor like 'member:%' and mode = 'database' and id > ? and (
    state <> 'failed' or not exists (select 1 from orders o where o.player_id = r.player_id and o.actor = r.actor))
  group by 1, 2, 3`;

export function oneOrderIsOneRedemption({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(BEGUN).all(diary.judgedRedemption)) as Row[];
  return rows.flatMap(({ actor, playerId, denomination, count }) => {
    const cards = new Map(
      diary.taps
        .filter(
          ({ user, asked, kind }) =>
            kind !== 'look' && actor === `member:${user.id}` && asked.includes(playerId),
        )
        .map(({ data, asked, label }) => [
          data,
          countIn(wantedIn(asked, playerId, label), denomination ?? 0),
        ]),
    );
    const most = [...cards.values()].reduce((sum, each) => sum + each, 0);
    return count <= most
      ? []
      : [`${actor} ordered ${most} times ${denomination} for ${playerId}, and ${count} redemptions began`];
  });
}

const TAKEN_OUT = `
  select actor, count(*) as count from extractions where actor like 'member:%' and id > ? group by 1`;
const TAKE_OUT = /^extract:([\w-]+):\d+$/;

export function oneConfirmationIsOneExtraction({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) =>
    file.prepare(TAKEN_OUT).all(diary.judgedExtraction),
  ) as Pick<Row, 'actor' | 'count'>[];
  return rows.flatMap(({ actor, count }) => {
    const own = diary.taps.filter(({ user }) => actor === `member:${user.id}`);
    const confirmed = new Set(own.flatMap(({ data }) => TAKE_OUT.exec(data)?.[1] ?? []));
    return count <= confirmed.size
      ? []
      : [`${actor} confirmed ${confirmed.size} extractions, and ${count} began`];
  });
}

/** What a card says for a player: on their line where there are several, else all of it. */
function wantedIn(asked: string, playerId: string, label: string): string {
  const line = asked.split('\n').find((each) => each.includes(`${playerId}: `));
  return line ?? `${asked} ${label}`;
}

/** Of a card: "Code: 60 UC from stock", "2 codes: 60 UC × 2 from stock". */
function countIn(card: string, denomination: number): number {
  const [, times] = new RegExp(`[ +,]${denomination}[  ]\\p{L}+(?: × (\\d+))?`, 'u').exec(card) ?? [
    '',
    undefined,
  ];
  if (times !== undefined) return Number(times);
  return new RegExp(`[ +,]${denomination}[  ]\\p{L}+`, 'u').test(card) ? 1 : 0;
}
