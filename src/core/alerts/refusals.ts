// What an upstream answers that concerns the host: our key, balance or limit there, an order that it cannot be sent.
import { type Clock, MINUTE_MS } from '../../clock.ts';
import type { HostTrouble, Platform, RedeemOutcome, Upstream } from '../../platform/port.ts';
import type { AlertDetails } from './known-to-host.ts';

/** Facts by what they are of: an upstream, and what it refuses. */
export type Refusals = Readonly<Record<string, AlertDetails>>;

/**
 * A refusal lasts until an order was taken since, and there was none of its kind for so long: an upstream that takes
 * some and refuses others is no news each time.
 */
const QUIET_MS = 15 * MINUTE_MS;

interface Answer {
  status: string;
  hostNotice?: string | undefined;
  hostTrouble?: HostTrouble | undefined;
}

export function createRefusals(clock: Pick<Clock, 'elapsed'>) {
  const watched = new Set<string>();
  const takenAt = new Map<string, number>();
  const refused = new Map<string, { facts: AlertDetails; at: number }>();
  const unreadAt = new Map<string, number>();

  function note<T extends Answer>(upstream: string, answer: T): T {
    const { hostNotice: sentence, hostTrouble: trouble } = answer;
    if (sentence === undefined) return answer;
    const facts = { upstream, sentence, ...(trouble !== undefined && { trouble }) };
    refused.set(`${upstream}: ${trouble ?? sentence}`, { facts, at: clock.elapsed() });
    return answer;
  }

  function isOver(upstream: string, of: string): boolean {
    if (!watched.has(upstream)) return true;
    const taken = takenAt.get(upstream);
    const since = refused.get(of)?.at;
    if (taken === undefined || since === undefined) return taken !== undefined;
    return taken > since && clock.elapsed() - since >= QUIET_MS;
  }

  return {
    /** The same upstream; what it answers from now on is noted. */
    watch(upstream: Upstream): Upstream {
      const { name, platform } = upstream;
      watched.add(name);
      const noting: Platform = {
        ...platform,
        async redeem(order, options) {
          const outcome = note(name, await platform.redeem(order, options));
          if (isTaken(outcome)) takenAt.set(name, clock.elapsed());
          if (outcome.answer?.isUnread) unreadAt.set(name, clock.elapsed());
          return outcome;
        },
        findCode: async (query, options) => note(name, await platform.findCode(query, options)),
        findCharacter: async (player, options) => note(name, await platform.findCharacter(player, options)),
      };
      return { ...upstream, platform: noting };
    },
    /** Upstreams that have answered what no rule of their profile knows, in a quarter of an hour. */
    listUnread: (): string[] =>
      [...unreadAt].filter(([, at]) => clock.elapsed() - at < QUIET_MS).map(([name]) => name),
    /**
     * Those that last. `told`: those that hosts know of, from a process before, too, which are listed until they are
     * over.
     */
    list(told: readonly { of?: string; facts: AlertDetails }[]): Refusals {
      const lasting: Record<string, AlertDetails> = {};
      for (const { of = '', facts } of told) if (!isOver(String(facts['upstream']), of)) lasting[of] = facts;
      for (const [of, { facts }] of refused)
        if (isOver(String(facts['upstream']), of)) refused.delete(of);
        else lasting[of] = facts;
      return lasting;
    },
  };
}

/** That nothing came of a request says nothing of what it was asked with. */
const isTaken = (outcome: RedeemOutcome): boolean =>
  outcome.status === 'unknown'
    ? outcome.underWay === true
    : outcome.status === 'redeemed' || outcome.errorCode !== 'NETWORK_ERROR';
