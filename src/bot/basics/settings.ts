// /settings: the language, which notices to get, the account's name and contact (account-lines.ts), time zone
// (time-zones.ts), and thresholds of stock (../stock/thresholds.ts).
import { InlineKeyboard, type Api } from 'grammy';

import { grantOf, MEMBER_NOTICES, type MemberActor } from '../../core/index.ts';
import { findLanguage } from '../../locales.ts';
import { may } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { among, button, word, type Feature } from '../feature.ts';
import { zoneOf } from '../moments.ts';
import { setOwnMenu } from '../prompts/menus.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { LANGUAGES, toLanguage, type Language } from '../texts.ts';
import { createAccountLines, formatOwnAccount } from './account-lines.ts';
import { createThresholds, isThresholds } from '../stock/thresholds.ts';
import { addBack } from '../prompts/paging-keyboard.ts';
import { askForZone, createTimeZoneQuestion, describeZone, isZoneMeant } from './time-zones.ts';

export function createSettingsFeature(deps: BotDeps, api: Api, features: readonly Feature[]): Feature {
  const run = async (ctx: BotContext, given: string): Promise<void> => {
    const [first = ''] = given.toLowerCase().split(/\s+/);
    const named = LANGUAGES.find((each) => ctx.label(`language-${each}`).toLowerCase() === first);
    const language = findLanguage(first) ?? named;
    if (language) {
      await choose(deps, api, features, ctx, language);
      await reply(ctx, ctx.say('settings-language-set'));
    } else if (isThresholds(given))
      return void ((await may(ctx, 'setAlerts')) && (await thresholds.ask(ctx, given)));
    else if (isZoneMeant(deps, ctx, given))
      return void ((await may(ctx, 'setTimeZone')) && (await askForZone(deps, ctx, given)));
    await reply(ctx, describe(deps, ctx), mainKeyboard(deps, ctx));
  };
  const chooseLanguage = async (ctx: BotContext, chosen: string): Promise<void> => {
    await choose(deps, api, features, ctx, chosen === 'as' ? undefined : findLanguage(chosen));
    answerTap(ctx, ctx.label('settings-language-set'));
    await editHtml(ctx, describe(deps, ctx), mainKeyboard(deps, ctx));
  };
  const [thresholds, accountLines] = [createThresholds(deps), createAccountLines(deps)];
  return {
    commands: { settings: { needs: 'everyone', menu: 'members', run } },
    buttons: {
      'settings:main': button('everyone', [], (ctx) =>
        editHtml(ctx, describe(deps, ctx), mainKeyboard(deps, ctx)),
      ),
      'settings:language': button('everyone', [among('as', ...LANGUAGES)], chooseLanguage),
      'settings:notices': button('members', [], (ctx) => showNotices(deps, ctx)),
      'settings:notice': button('members', [among('on', 'off'), word], (ctx, what, kind) =>
        turnNotice(deps, ctx, what, kind),
      ),
      'settings:zones': button('setTimeZone', [], (ctx) => askForZone(deps, ctx)),
      'settings:stock': button('setAlerts', [], (ctx) => thresholds.ask(ctx)),
      ...thresholds.buttons,
      ...accountLines.buttons,
    },
    questions: { ...createTimeZoneQuestion(deps), ...thresholds.questions, ...accountLines.questions },
  };
}

/** Keeps the choice (undefined: as Telegram says), speaks it from here on, and sets the chat's menu anew. */
async function choose(
  deps: BotDeps,
  api: Api,
  features: readonly Feature[],
  ctx: BotContext,
  chosen: Language | undefined,
): Promise<void> {
  const telegramId = ctx.from?.id ?? 0;
  await deps.store.preferences.save({ telegramId, language: chosen ?? null });
  const language = chosen ?? toLanguage(ctx.from?.language_code);
  ctx.language = language;
  ctx.say = (key, variables) => deps.texts.say(language, key, variables);
  ctx.label = (key, variables) => deps.texts.label(language, key, variables);
  const { actor, isHost } = ctx;
  setOwnMenu(api, deps, features, { telegramId, actor, isHost, language });
}

/** undefined: as Telegram says. */
const chosenLanguage = ({ store }: BotDeps, ctx: BotContext): Language | undefined =>
  findLanguage(store.preferences.find(ctx.from?.id ?? 0)?.language);

function describe(deps: BotDeps, ctx: BotContext): string {
  const key = chosenLanguage(deps, ctx) === undefined ? 'settings-language-telegram' : 'settings-language';
  const lines = [
    ctx.say('settings-title'),
    '',
    ctx.say(key, { language: ctx.label(`language-${ctx.language}`) }),
  ];
  if (mayRename(ctx)) lines.push(ctx.say('settings-name', { account: formatOwnAccount(deps, ctx, 'name') }));
  if (mayRename(ctx) && hasLinks(deps))
    lines.push(ctx.say('settings-contact', { account: formatOwnAccount(deps, ctx, 'contact') }));
  if (ctx.actor) {
    const zone = describeZone(ctx, zoneOf(deps, ctx.actor), deps.clock.now());
    const kinds = noticesFor(ctx.actor);
    const on = kinds.filter((kind) => !readMuted(deps, ctx).includes(kind)).length;
    lines.push(
      ctx.say('settings-zone', { zone }),
      ctx.say('settings-more', { on: String(on), all: String(kinds.length) }),
    );
  }
  if (ctx.actor && grantOf(ctx.actor, 'setAlerts') !== 'no') lines.push(ctx.say('settings-stock-hint'));
  return lines.join('\n');
}

/** Where there are no claim links nobody reads the contact. */
const hasLinks = ({ settings }: BotDeps): boolean => settings.publicUrl !== undefined;

const mayRename = ({ actor }: BotContext) => actor !== undefined && grantOf(actor, 'renameAccount') !== 'no';

function mainKeyboard(deps: BotDeps, ctx: BotContext): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  const chosen = chosenLanguage(deps, ctx);
  const mark = (holds: boolean) => (holds ? '✓ ' : '');
  for (const language of LANGUAGES)
    keyboard.text(
      `${mark(chosen === language)}${ctx.label(`language-${language}`)}`,
      `settings:language:${language}`,
    );
  const label = `${mark(chosen === undefined)}${ctx.label('settings-button-as-telegram')}`;
  keyboard.row().text(label, 'settings:language:as');
  if (ctx.actor) keyboard.row().text(ctx.label('settings-button-notices'), 'settings:notices');
  if (ctx.actor && grantOf(ctx.actor, 'setTimeZone') !== 'no') {
    keyboard.text(ctx.label('settings-button-zone'), 'settings:zones');
  }
  if (ctx.actor && grantOf(ctx.actor, 'setAlerts') !== 'no') {
    keyboard.row().text(ctx.label('settings-button-stock'), 'settings:stock');
  }
  if (mayRename(ctx)) keyboard.text(ctx.label('settings-button-name'), 'settings:name');
  if (mayRename(ctx) && hasLinks(deps))
    keyboard.row().text(ctx.label('settings-button-contact'), 'settings:contact');
  return keyboard;
}

async function showNotices(deps: BotDeps, ctx: BotContext): Promise<void> {
  const muted = readMuted(deps, ctx);
  const keyboard = new InlineKeyboard();
  for (const kind of noticesFor(actorOf(ctx))) {
    const mark = muted.includes(kind) ? '🔕' : '🔔';
    const what = muted.includes(kind) ? 'on' : 'off';
    const facts = kind === 'stockLow' ? { under: formatUnder(deps, ctx) } : undefined;
    const label = `${mark} ${ctx.label(`settings-notice-${kind.toLowerCase()}`, facts)}`;
    keyboard.text(label, `settings:notice:${what}:${kind}`).row();
  }
  addBack(keyboard, ctx, 'settings:main');
  await editHtml(ctx, ctx.say('settings-notices'), keyboard);
}

/** The button says what it wants, not "the other one": pressed twice it does the same. */
async function turnNotice(deps: BotDeps, ctx: BotContext, what: 'on' | 'off', kind: string): Promise<void> {
  const { telegramId, ...actor } = actorOf(ctx);
  if (!noticesFor({ telegramId, ...actor }).includes(kind))
    return answerTap(ctx, ctx.label('button-old'), true);
  const others = readMuted(deps, ctx).filter((each) => each !== kind);
  const mutedNotices = (what === 'on' ? others : [...others, kind]).join(',');
  await deps.store.preferences.save({ telegramId, mutedNotices });
  await showNotices(deps, ctx);
}

/** Under how many codes a stock is low, where all denominations have one threshold, or from which to which. */
function formatUnder({ core }: BotDeps, ctx: BotContext): string {
  const set = core.stockAlerts
    .list(actorOf(ctx))
    .flatMap(({ threshold }) => (threshold > 0 ? [threshold] : []));
  if (set.length === 0) return 'none';
  const [least, most] = [Math.min(...set), Math.max(...set)];
  return least === most ? String(least) : `${least}–${most}`;
}

/** Whoever sets no alerts is told of redemptions of their own alone. */
function noticesFor(actor: MemberActor): readonly string[] {
  return grantOf(actor, 'setAlerts') === 'no' ? ['doubtSettled'] : MEMBER_NOTICES;
}

function readMuted({ store }: BotDeps, ctx: BotContext): string[] {
  const muted = store.preferences.find(ctx.from?.id ?? 0)?.mutedNotices ?? '';
  return muted.split(',').filter((kind) => kind !== '');
}
