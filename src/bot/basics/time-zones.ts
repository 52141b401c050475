// The account's time zone in /settings: the likely ones as buttons, any other as `/settings Europe/Lisbon` or `/settings UTC+3`.
import { InlineKeyboard } from 'grammy';

import { grantOf, parseTimeZone } from '../../core/index.ts';
import { refusalOf, requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { Handlers } from '../handlers.ts';
import { describeOffset, formatTime, zoneOf } from '../moments.ts';
import { toOutgoing, toOutgoingRow } from '../outgoing.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { addBack } from '../talk/paging-keyboard.ts';

/** From west to east; the label is `zone-` and the name of the city. */
const LIKELY = [
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Kyiv',
  'Europe/Istanbul',
  'Europe/Moscow',
  'Asia/Dubai',
  'Asia/Yerevan',
  'Asia/Tashkent',
  'Asia/Almaty',
  'Asia/Dhaka',
  'Asia/Jakarta',
  'Asia/Shanghai',
  'Asia/Vladivostok',
] as const;
const IN_A_ROW = 2;

type Deps = Pick<BotDeps, 'core' | 'keeping' | 'clock'>;

/** The buttons. What was set and what says so are one transaction. */
export function createTimeZoneSettings(deps: Deps): Handlers {
  const handlers = new Handlers();
  const allowed = requires('setTimeZone');

  handlers.callbackQuery('settings:zones', allowed, async (ctx) => {
    answerTap(ctx);
    const now = deps.clock.now();
    const current = zoneOf(deps, ctx.actor);
    const facts = { zone: describeZone(ctx, current, now), time: formatTime(now, current) };
    const keyboard = new InlineKeyboard();
    LIKELY.forEach((zone, index) => {
      if (index > 0 && index % IN_A_ROW === 0) keyboard.row();
      keyboard.text(describeZone(ctx, zone, now).replace(', UTC', ' ').trimEnd(), `settings:zone:${zone}`);
    });
    addBack(keyboard, ctx, 'settings:main');
    await editHtml(ctx, ctx.say('settings-zone-ask', facts), keyboard);
  });
  handlers.callbackQuery(/^settings:zone:([\w/+:-]{1,40})$/, allowed, async (ctx) => {
    const zone = parseTimeZone(ctx.match[1] ?? '');
    if (zone === undefined) return answerTap(ctx, ctx.label('button-old'), true);
    await set(deps, ctx, zone, ctx.callbackQuery.message?.message_id);
    answerTap(ctx, ctx.label('settings-saved'));
  });
  return handlers;
}

/** A zone in words, as in `/settings new york`. False when the words are something else. */
export async function setZoneFromArguments(deps: Deps, ctx: BotContext, text: string): Promise<boolean> {
  const zone = parseTimeZone(text);
  if (zone === undefined && !/^(utc|gmt|[+\-−])|\//i.test(text)) return false;
  if (!ctx.actor || grantOf(ctx.actor, 'setTimeZone') === 'no') {
    await reply(ctx, ctx.say(refusalOf(ctx, 'setTimeZone')));
  } else if (zone === undefined) await reply(ctx, ctx.say('settings-zone-wrong'));
  else await set(deps, ctx, zone);
  return true;
}

async function set(
  { core, keeping, clock }: Deps,
  ctx: BotContext,
  zone: string,
  messageId?: number,
): Promise<void> {
  const now = clock.now();
  const html = ctx.say('settings-zone-set', {
    zone: describeZone(ctx, zone, now),
    time: formatTime(now, zone),
  });
  const keyboard = addBack(new InlineKeyboard(), ctx, 'settings:main');
  const actor = actorOf(ctx);
  const chatId = ctx.chat?.id ?? actor.telegramId;
  const content = { ...toOutgoing(html, keyboard), ...(messageId !== undefined && { messageId }) };
  const messages = [toOutgoingRow(`zone:${ctx.update.update_id}`, chatId, content)];
  await core.accounts.setTimeZone(
    actor,
    zone,
    keeping.alongside(() => ({ messages })),
  );
  ctx.voice.wake(chatId);
}

/** `Moscow, UTC+3`; an offset is its own name. */
export function describeZone({ label }: Pick<BotContext, 'label'>, zone: string, now: number): string {
  const offset = describeOffset(zone, now);
  if (!zone.includes('/')) return offset;
  const city = LIKELY.some((each) => each === zone)
    ? label(`zone-${zone.slice(zone.lastIndexOf('/') + 1).toLowerCase()}`)
    : zone;
  return `${city}, ${offset}`;
}
