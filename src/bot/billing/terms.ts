// /paysupport and /terms, which Telegram asks of bots that sell for Stars: whom to write to about a payment, and what
// is sold.
import { grantOf, HOST_CURRENCY } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { formatDay, zoneOf } from '../moments.ts';
import { reply } from '../replies.ts';
import { formatPrice } from './prices.ts';

/** Payments that are named, the newest first: their numbers are what is asked for. */
const NAMED = 3;

export function createTermsFeature(deps: BotDeps): Feature {
  const handlers = new Handlers();
  handlers.command('paysupport', async (ctx) => {
    const payments = listPayments(deps, ctx);
    const html = ctx.say('paysupport');
    await reply(
      ctx,
      payments.length === 0 ? html : [html, '', ctx.say('paysupport-last'), ...payments].join('\n'),
    );
  });
  handlers.command('terms', async (ctx) => {
    await reply(ctx, ctx.say('terms'));
  });
  return {
    commands: [
      { name: 'paysupport', for: 'everyone' },
      { name: 'terms', for: 'everyone' },
    ],
    handlers,
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
      return `<b>${payment.id}</b> · ${day} · ${formatPrice(payment)}`;
    });
}
