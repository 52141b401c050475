// Whose secrets are whose: who minted, typed or was given a code, and whose redemption a login belongs to.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

export interface Whose {
  /** From now on they are known to this account, or (below 0) to this person. */
  add(owner: number, codes: readonly string[]): void;
  /** Every code that was ever minted. */
  codes(): string[];
  /** Whose redemptions are whose until now, whatever becomes of the books. */
  remember(): void;
  ownersOf(secret: string): ReadonlySet<number>;
}

const SQL = 'select a.reference, r.account_id from attempts a join redemptions r on r.id = a.redemption_id';

export function createWhose({ platform, disk }: Pick<World, 'platform' | 'disk'>): Whose {
  const owners = new Map<string, Set<number>>();
  const accounts = new Map<string, number>();
  const ofReference = new Map<string, number>();
  return {
    add(owner, codes) {
      for (const code of codes) owners.set(code, (owners.get(code) ?? new Set()).add(owner));
    },
    codes: () => [...owners.keys()],
    remember,
    ownersOf(secret) {
      const known = owners.get(secret);
      if (known) return known;
      const account = accounts.get(secret) ?? findAccount(secret);
      if (account !== undefined) accounts.set(secret, account);
      return new Set(account === undefined ? [] : [account]);
    },
  };

  function remember(): void {
    const rows = look(disk.databasePath(), (file) => file.prepare(SQL).raw().all()) as [string, number][];
    for (const [each, account] of rows) ofReference.set(each, account);
  }

  /** Redemptions never change their account: what is new since the last look is read once. */
  function findAccount(login: string): number | undefined {
    const reference = platform.findByLogin(login);
    if (reference === undefined) return undefined;
    if (!ofReference.has(reference)) remember();
    return ofReference.get(reference);
  }
}
