// What comes of orders at upstreams, told as it happens to whoever measures.
import type { Clock } from '../../clock.ts';
import type { RedeemOutcome, Upstream } from '../../platform/port.ts';

/** `outcome`: redeemed, the errorCode of a refusal, never_sent, refused_us or unknown. */
interface MeasuredAttempt {
  upstream: string;
  outcome: string;
  ms: number;
}

export interface AttemptMetrics {
  /** The same upstream, whose orders are told of. */
  watch(upstream: Upstream): Upstream;
  onAttempt(listen: (attempt: MeasuredAttempt) => void): void;
}

export function createAttemptMetrics({ elapsed }: Pick<Clock, 'elapsed'>): AttemptMetrics {
  const listeners: ((attempt: MeasuredAttempt) => void)[] = [];
  return {
    watch: (upstream) => ({
      ...upstream,
      platform: {
        ...upstream.platform,
        async redeem(order, options) {
          const since = elapsed();
          const outcome = await upstream.platform.redeem(order, options);
          const told = { upstream: upstream.name, outcome: nameOf(outcome), ms: elapsed() - since };
          for (const listen of listeners) listen(told);
          return outcome;
        },
      },
    }),
    onAttempt: (listen) => void listeners.push(listen),
  };
}

function nameOf(outcome: RedeemOutcome): string {
  if (outcome.status !== 'refused') return outcome.status;
  if (outcome.neverSent) return 'never_sent';
  return outcome.refusedUs ? 'refused_us' : outcome.errorCode;
}
