// The account's time zone in /settings, as an answer to the question, or behind the command.
import { InlineKeyboard } from 'grammy';

import { grantOf, parseTimeZone } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { describeOffset, formatTime, zoneOf } from '../moments.ts';
import { askInWords } from '../prompts/ask.ts';
import { addBack } from '../prompts/paging-keyboard.ts';
import { reply } from '../replies.ts';
import { LANGUAGES } from '../texts.ts';

/** From west to east; the label is `zone-` and the name of the city. */
const CITIES = [
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

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'texts'>;

const TIME_ZONE = 'time-zone';
/** A city, a zone, an offset: no player, no code, no command. */
const ZONE_WORDS =
  /^(?:\p{L}[\p{L} ._/'’+-]{1,40}(?:[+\-−–] ?\d{1,2}(?::?\d{2})?)?|[+\-−–] ?\d{1,2}(?::?\d{2})?)$/u;
/** What is nothing else, even of whom may not set it. */
const SURELY = /^(utc|gmt|[+\-−])|\//i;

/** Whether a zone is meant, though it may be none. */
export function isZoneMeant(
  deps: Pick<Deps, 'texts'>,
  { actor }: Pick<BotContext, 'actor'>,
  text: string,
): boolean {
  const may = actor && grantOf(actor, 'setTimeZone') !== 'no';
  return readZone(deps, text) !== undefined || SURELY.test(text) || (may === true && ZONE_WORDS.test(text));
}

export const createTimeZoneQuestion = (deps: Deps): Feature['questions'] => ({
  [TIME_ZONE]: { needs: 'setTimeZone', hear: (ctx, _of, text) => hearZone(deps, ctx, text) },
});

/** `given`: behind the command; it is asked about where it is no zone. */
export async function askForZone(deps: Deps, ctx: BotContext, given = ''): Promise<void> {
  const heard = given !== '' && (await hearZone(deps, ctx, given));
  if (heard === true) return;
  const facts = describeNow(ctx, zoneOf(deps, actorOf(ctx)), deps.clock.now());
  const question = ctx.say('settings-zone-ask', { ...facts, cities: listCities(ctx) });
  await askInWords(ctx, heard === false ? question : heard, TIME_ZONE);
}

async function hearZone(deps: Deps, ctx: BotContext, text: string): Promise<boolean | string> {
  const zone = readZone(deps, text);
  if (zone !== undefined) await set(deps, ctx, zone);
  else if (ZONE_WORDS.test(text.trim())) return ctx.say('settings-zone-wrong', { cities: listCities(ctx) });
  return zone !== undefined;
}

const listCities = (ctx: BotContext): string => CITIES.map((zone) => ctx.label(cityKey(zone))).join(', ');

/** A city is known in every language, whoever asks. */
function readZone({ texts }: Pick<Deps, 'texts'>, text: string): string | undefined {
  const said = text.trim().toLowerCase();
  const isCity = (zone: string) =>
    LANGUAGES.some((language) => texts.label(language, cityKey(zone)).toLowerCase() === said);
  return parseTimeZone(said) ?? CITIES.find(isCity);
}

const cityKey = (zone: string) => `zone-${zone.slice(zone.lastIndexOf('/') + 1).toLowerCase()}`;

/** What was set and what says so are one transaction. */
async function set({ core, clock }: Deps, ctx: BotContext, zone: string): Promise<void> {
  const html = ctx.say('settings-zone-set', describeNow(ctx, zone, clock.now()));
  await reply(ctx, html, addBack(new InlineKeyboard(), ctx, 'settings:main'));
  await core.accounts.setTimeZone(actorOf(ctx), zone, ctx.turn.ends());
}

const describeNow = (ctx: Pick<BotContext, 'label'>, zone: string, now: number) => ({
  zone: describeZone(ctx, zone, now),
  time: formatTime(now, zone),
});

/** `Moscow, UTC+3`; an offset is its own name. */
export function describeZone({ label }: Pick<BotContext, 'label'>, zone: string, now: number): string {
  const offset = describeOffset(zone, now);
  if (!zone.includes('/')) return offset;
  const city = CITIES.some((each) => each === zone) ? label(cityKey(zone)) : zone;
  return `${city}, ${offset}`;
}
