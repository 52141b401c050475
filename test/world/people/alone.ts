// One thing at a time of those that one person cannot do two of at once: whose answers, or whose next messages, would
// be taken for those of the other. Where a fault has people act twice, the second is left out.
import type { Self } from './index.ts';

const busy = new WeakSet<Self['phone']>();

export async function alone(phone: Self['phone'], work: () => Promise<unknown>): Promise<void> {
  if (busy.has(phone)) return;
  busy.add(phone);
  try {
    await work();
  } finally {
    busy.delete(phone);
  }
}
