// The stock of all accounts together, for those who watch the service: by game, denomination and state.
import type { CodeState, Store } from '../../store/index.ts';
import { takeTurn } from '../../turns.ts';

export interface StockTotal {
  gameId: string;
  denomination: number;
  state: CodeState;
  count: number;
}

/** So many accounts are added up in one turn of the event loop: some thousand counts, about 1 ms. */
const ACCOUNTS_A_TURN = 100;

/** Adds up the counts, a slice a turn: as many accounts as there are, it holds up nobody, and is of no one moment. */
export async function sumStock(store: Pick<Store, 'read'>): Promise<StockTotal[]> {
  const totals = new Map<string, StockTotal>();
  const last = store.read((tables) => tables.stock.lastAccount());
  for (let after = 0; after < last; after += ACCOUNTS_A_TURN) {
    await takeTurn();
    const slice = store.read((tables) => tables.stock.sumOfAll(after, after + ACCOUNTS_A_TURN));
    for (const stockKey of slice) {
      const name = JSON.stringify([stockKey.gameId, stockKey.denomination, stockKey.state]);
      totals.set(name, { ...stockKey, count: stockKey.count + (totals.get(name)?.count ?? 0) });
    }
  }
  return [...totals.values()];
}
