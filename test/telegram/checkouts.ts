// The question before a payment: the bot has ten seconds to agree, by the injected clock and in real time.
import type { Method } from './messages.ts';
import { badRequest, type User } from './types.ts';
import type { UpdateQueue } from './updates.ts';
import type { World } from './world.ts';

export interface Checkouts {
  /** Asks the bot; undefined when it agrees, else what the person reads. */
  ask(user: User, terms: object): Promise<string | undefined>;
  answerPreCheckoutQuery: Method;
}

const checkoutMs = 10_000;
const tooLate = 'BOT_PRECHECKOUT_TIMEOUT';

/** Pre-checkout queries, each answerable once. */
export function createCheckouts(world: World, updates: UpdateQueue): Checkouts {
  const open = new Map<string, { at: number; answered: (error: string | undefined) => void }>();
  let count = 0;

  function ask(user: User, terms: object): Promise<string | undefined> {
    count += 1;
    const id = `${user.id}9${String(count).padStart(8, '0')}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        open.delete(id);
        resolve(tooLate);
      }, checkoutMs);
      timer.unref();
      const answered = (error: string | undefined) => {
        clearTimeout(timer);
        resolve(error);
      };
      open.set(id, { at: world.clock.now(), answered });
      updates.push('pre_checkout_query', { id, from: user, ...terms });
    });
  }

  const answerPreCheckoutQuery: Method = (params) => {
    const id = params.text('pre_checkout_query_id') ?? '';
    const reason = params.text('error_message') ?? '';
    if (!params.flag('ok') && reason === '') throw badRequest('error message must be non-empty');
    const query = open.get(id);
    open.delete(id);
    const late = query !== undefined && world.clock.now() - query.at > checkoutMs;
    if (late) query.answered(tooLate);
    if (!query || late) {
      throw badRequest('query is too old and response timeout expired or query ID is invalid');
    }
    query.answered(params.flag('ok') ? undefined : reason);
    return true;
  };

  return { ask, answerPreCheckoutQuery };
}
