// The account's time zone in /settings: the likely ones as buttons, any other as an answer to the question, or behind
// the command.
import { InlineKeyboard } from 'grammy';

import { grantOf, parseTimeZone } from '../../core/index.ts';
import { refusalOf, requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { ConversationEntry } from '../conversation.ts';
import { Handlers } from '../handlers.ts';
import { describeOffset, formatTime, zoneOf } from '../moments.ts';
import { toOutgoing, toOutgoingRow } from '../outgoing.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { addBack } from '../prompts/paging-keyboard.ts';
import { enter } from '../prompts/start-conversation.ts';

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

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock'>;

/** The conversation that hears the answer to the question for a zone. */
export const TIME_ZONE = 'time-zone';
/** A city, a zone, an offset: no player, no code, no command. */
const ZONE_WORDS =
  /^(?:\p{L}[\p{L} ._/'’+-]{1,40}(?:[+\-−–] ?\d{1,2}(?::?\d{2})?)?|[+\-−–] ?\d{1,2}(?::?\d{2})?)$/u;

export function createTimeZoneConversation(deps: Deps): ConversationEntry {
  return {
    name: TIME_ZONE,
    async run(prompts) {
      for (;;) {
        const answer = await prompts.hear();
        const text = answer.kind === 'message' ? (answer.message.text ?? '') : '';
        const isHeard = await prompts.core((outer) => setZoneFromArguments(deps, outer, text));
        if (isHeard === 'set') return;
        if (!isHeard) await prompts.leave();
      }
    },
  };
}

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
    await enter(ctx, TIME_ZONE, {});
  });
  handlers.callbackQuery(/^settings:zone:([\w/+:-]{1,40})$/, allowed, async (ctx) => {
    const zone = parseTimeZone(ctx.match[1] ?? '');
    if (zone === undefined) return answerTap(ctx, ctx.label('button-old'), true);
    await ctx.conversation.exit(TIME_ZONE);
    await set(deps, ctx, zone, ctx.callbackQuery.message?.message_id);
    answerTap(ctx, ctx.label('settings-saved'));
  });
  return handlers;
}

/**
 * A zone in words, as in `/settings new york`. False when the words are something else; `wrong` where they name no
 * zone.
 */
export async function setZoneFromArguments(
  deps: Deps,
  ctx: BotContext,
  text: string,
): Promise<'set' | 'wrong' | false> {
  const said = text.trim();
  const zone = parseTimeZone(said) ?? LIKELY.find((each) => isCity(ctx, each, said));
  const mayNot = !ctx.actor || grantOf(ctx.actor, 'setTimeZone') === 'no';
  const isMeant = zone !== undefined || /^(utc|gmt|[+\-−])|\//i.test(said);
  if (!isMeant && (mayNot || !ZONE_WORDS.test(said))) return false;
  if (mayNot) {
    await reply(ctx, ctx.say(refusalOf(ctx, 'setTimeZone')));
  } else if (zone === undefined) await reply(ctx, ctx.say('settings-zone-wrong'));
  else {
    await set(deps, ctx, zone);
    return 'set';
  }
  return 'wrong';
}

/** As its button says it. */
const isCity = ({ label }: Pick<BotContext, 'label'>, zone: string, said: string) =>
  zone.includes('/') && label(cityKey(zone)).toLowerCase() === said.toLowerCase();

const cityKey = (zone: string) => `zone-${zone.slice(zone.lastIndexOf('/') + 1).toLowerCase()}`;

async function set(
  { core, store, clock }: Deps,
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
  const content = { ...toOutgoing(html, keyboard), messageId };
  const messages = [toOutgoingRow(`zone:${ctx.update.update_id}`, chatId, content)];
  await core.accounts.setTimeZone(
    actor,
    zone,
    store.inTransaction(() => ({ messages })),
  );
}

/** `Moscow, UTC+3`; an offset is its own name. */
export function describeZone({ label }: Pick<BotContext, 'label'>, zone: string, now: number): string {
  const offset = describeOffset(zone, now);
  if (!zone.includes('/')) return offset;
  const city = LIKELY.some((each) => each === zone) ? label(cityKey(zone)) : zone;
  return `${city}, ${offset}`;
}
