// /paysupport and /terms, which Telegram asks of bots that sell for Stars: whom to write to about a payment, and what
// is sold.
import { grantOf, HOST_CURRENCY } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { formatDay, zoneOf } from '../moments.ts';
import { reply } from '../replies.ts';
import { formatPrice } from './invoices.ts';

/** Payments that are named, the newest first: their numbers are what is asked for. */
const NAMED = 3;

export function createTermsFeature(deps: BotDeps): Feature {
  const paysupport = (ctx: BotContext): Promise<unknown> => {
    const payments = listPayments(deps, ctx);
    const last = payments.length === 0 ? [] : ['', ctx.say('paysupport-last'), ...payments];
    return reply(ctx, [ctx.say('paysupport'), ...last].join('\n'));
  };
  return {
    commands: {
      paysupport: { needs: 'everyone', run: paysupport },
      terms: { needs: 'everyone', run: (ctx) => reply(ctx, ctx.say('terms')) },
    },
  };
}

/** Of the account, for those who may pay for it. */
function listPayments(deps: BotDeps, ctx: BotContext): string[] {
  const { actor } = ctx;
  if (!actor || grantOf(actor, 'purchase') === 'no') return [];
  const zone = zoneOf(deps, actor);
  return deps.core.purchases
    .list(actor)
    .filter(({ currency }) => currency !== HOST_CURRENCY)
    .slice(0, NAMED)
    .map((payment) => {
      const day = formatDay(ctx.language, payment.at, zone);
      const back = payment.refunded ? ` · ${ctx.label('paysupport-sent-back')}` : '';
      return `<b>${payment.id}</b> · ${day} · ${formatPrice(payment)}${back}`;
    });
}
