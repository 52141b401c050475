// The codes of a batch by their states, a slice at a time: by the index of the batch, so that nothing grows with the
// file.
import type { CodeState, Store } from '../store/index.ts';
import { takeTurn } from '../turns.ts';

/** So many codes of a batch are in a state; `changedAt`: when the last of them changed, ms UTC. */
export interface CodesOfState {
  state: CodeState;
  count: number;
  changedAt: number;
}

/** Milliseconds of one turn. */
const CODES_AT_ONCE = 1_000;

/** Tells them by state, a slice after another, until all were told or it is over; a state comes in several slices. */
export async function walkBatchCodes(
  store: Store,
  batchId: number,
  count: (codes: CodesOfState) => void,
  isOver: () => boolean = () => false,
): Promise<'all' | 'over'> {
  for (let after: Buffer = Buffer.alloc(0); ;) {
    const { counts, last } = store.read(({ batches }) => batches.countStates(batchId, after, CODES_AT_ONCE));
    counts.forEach(count);
    if (!last) return 'all';
    after = last;
    if (isOver()) return 'over';
    await takeTurn();
  }
}
