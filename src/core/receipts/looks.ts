// What the looks at a doubt said that did not end it: kept with the redemption, like ones in a row as one, so that a
// doubt of weeks stays a few lines.
/** Why a doubt is looked at once more. `held`: nobody can tell, a person has to; `failed`: it could not be carried out. */
export type LookSaid =
  | 'underWay'
  | 'unreachable'
  | 'notFinal'
  | 'receiptAwaited'
  | 'sentAgain'
  | 'playerNotFound'
  | 'playerUnreachable'
  | 'held'
  | 'failed';

/** Looks in a row that said the same. Times are ms UTC. */
export interface LooksTold {
  said: LookSaid;
  firstAt: number;
  lastAt: number;
  times: number;
}

/** The first of them, and the newest. */
const MOST = 20;

export const readLooks = (looksTold: string | null): LooksTold[] =>
  looksTold === null ? [] : (JSON.parse(looksTold) as LooksTold[]);

/** All that was said of a doubt, with one look more, as it is kept. `looksTold`: by the looks before. */
export function noteLook(looksTold: string | null, said: LookSaid, now: number): string {
  const told = readLooks(looksTold);
  const last = told.at(-1);
  const next =
    last?.said === said
      ? [...told.slice(0, -1), { ...last, lastAt: now, times: last.times + 1 }]
      : [...told, { said, firstAt: now, lastAt: now, times: 1 }];
  const kept = next.length > MOST ? [...next.slice(0, 1), ...next.slice(1 - MOST)] : next;
  return JSON.stringify(kept);
}
