// Accounts as the host looks for them: by number, by the Telegram name or number of anybody in them, by parts of
// what the account or its owner is called.
import { takeTurn } from '../../turns.ts';
import type { Store } from '../../store/index.ts';
import { type HostActor, requireHost } from '../context.ts';
import { foldName } from '../folding.ts';
import { listAccounts, type AccountSummary } from './accounts.ts';

export interface FoundAccounts {
  /** By number, what was named exactly first. */
  ids: number[];
  /** False where more match than are told. */
  isComplete: boolean;
}

/** The most that one search tells. */
const MOST = 100;
/** Read in one turn of the event loop: there is no index over parts of names in any case and alphabet. */
const SLICE = 200;

/** The verbs about finding accounts. */
export function createAccountSearch({ store }: { store: Store }) {
  return {
    /** Looks at every account, a slice a turn. Nothing for a text without a word. */
    async search(actor: HostActor, text: string): Promise<FoundAccounts> {
      requireHost(actor);
      const words = toWords(text);
      if (words.length === 0) return { ids: [], isComplete: true };
      const found = new Set(findExact(store, text.trim()));
      for (let after = 0; found.size <= MOST;) {
        await takeTurn();
        const slice = listAccounts(store, actor, { after, limit: SLICE });
        for (const account of slice) if (isMeant(account, words)) found.add(account.id);
        if (slice.length < SLICE) break;
        after = slice.at(-1)?.id ?? after;
      }
      const ids = [...found];
      return { ids: ids.slice(0, MOST), isComplete: ids.length <= MOST };
    },

    /** Those of these numbers that are there, in this order. */
    listByIds: (actor: HostActor, ids: readonly number[]): AccountSummary[] =>
      ids.flatMap((id) => {
        const [row] = listAccounts(store, actor, { after: id - 1, limit: 1 });
        return row?.id === id ? [row] : [];
      }),
  };
}

function findExact(store: Store, text: string): number[] {
  return store.read((tables) => {
    const [, number] = /^#?(\d{1,15})$/.exec(text) ?? [];
    const [, username] = /^@?(\w{3,32})$/.exec(text) ?? [];
    const byNumber = number === undefined ? undefined : tables.accounts.find(Number(number))?.id;
    const byPerson = number === undefined ? undefined : tables.members.find(Number(number))?.accountId;
    const named = username === undefined ? [] : tables.members.listByUsername(username);
    return [byNumber, byPerson, ...named.map(({ accountId }) => accountId)].filter((id) => id !== undefined);
  });
}

/** Every word is part of a name. */
function isMeant({ name, owner }: AccountSummary, words: readonly string[]): boolean {
  const called = foldName([name, owner?.name, owner?.username].join('\n'));
  return words.every((word) => called.includes(word));
}

function toWords(text: string): string[] {
  return foldName(text)
    .split(/[\s@#]+/)
    .filter((word) => word !== '');
}
