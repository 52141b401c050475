// The preview of an import: every heading as it was read, what would be added, and what is asked before it can be.
import { InlineKeyboard } from 'grammy';

import type { Game, ImportPreview, ImportState } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { fit, LONGEST_MESSAGE } from '../replies.ts';
import { name } from '../texts.ts';
import { wordLot } from './code-order.ts';
import { describeLot } from './wording.ts';

/** `add:as:<import>:<key of what is asked>:<denomination, or out>`. */
export const ANSWER = /^add:as:(\d{1,15}):([\w-]{1,10}):(\d{1,9}|out)$/;

const HEADINGS_SHOWN = 20;
const DENOMINATIONS_A_ROW = 3;
const MOST_BUTTONS = 60;

type Deps = Pick<BotDeps, 'core'>;

export function wordPreview(
  { core }: Deps,
  ctx: BotContext,
  state: ImportState,
  preview: ImportPreview,
): string {
  const game = core.games.find(state.gameId);
  if (!game) return ctx.say('add-decided');
  const { notUnderstood, notUnderstoodExamples, leftOut, repeated } = preview;
  const { messages, files } = state;
  const lines = [ctx.say('add-preview', { ...describeLot(ctx, core, state), messages, files }), ''];
  lines.push(...wordHeadings(ctx, game, preview));
  for (const { denomination: amount, ...counts } of preview.lots) {
    lines.push(ctx.say('add-preview-lot', { lot: wordLot(ctx, game, amount), ...counts }));
  }
  if (preview.lots.length === 0 && preview.asked.length === 0) lines.push(ctx.say('add-preview-none'));
  if (repeated > 0) lines.push(ctx.say('add-preview-repeated', { count: repeated }));
  if (leftOut > 0) lines.push(ctx.say('add-preview-left-out', { count: leftOut }));
  if (notUnderstood > 0) {
    lines.push('', ctx.say('add-preview-not-understood', { count: notUnderstood }));
    for (const text of notUnderstoodExamples)
      lines.push(ctx.say('add-preview-example', { text: name(text) }));
  }
  if (preview.isChanged) lines.push('', ctx.say('add-preview-changed'));
  if (preview.tooMany) lines.push('', ctx.say('add-preview-too-many'));
  if (lines.at(-1) === '') lines.pop();
  // Whatever has no room: what the buttons ask stands above them.
  const next = `\n\n${wordNext(ctx, preview)}`;
  return fit(lines.join('\n'), LONGEST_MESSAGE - next.length) + next;
}

/** Nothing where there is nothing but one heading, or none: the lots say the same. */
function wordHeadings(ctx: BotContext, game: Game, { headings, asked }: ImportPreview): string[] {
  const lines = headings.map(({ text, denomination, codes }) => {
    const lot = denomination === undefined ? '' : wordLot(ctx, game, denomination);
    return ctx.say('add-preview-heading', { text: name(text), lot, count: codes });
  });
  const questions = asked.map(({ text, codes }) => wordAsked(ctx, ASKED, text, codes));
  const shown = [...lines.slice(0, HEADINGS_SHOWN), ...questions];
  if (lines.length > HEADINGS_SHOWN)
    shown.splice(
      HEADINGS_SHOWN,
      0,
      ctx.say('add-preview-headings-more', { count: lines.length - HEADINGS_SHOWN }),
    );
  return shown.length > 0 ? [...shown, ''] : [];
}

const ASKED = { some: 'add-preview-asked', none: 'add-preview-asked-nothing' };
const ASKING = { some: 'add-ask', none: 'add-ask-nothing' };

function wordAsked(ctx: BotContext, keys: typeof ASKED, text: string | undefined, count: number): string {
  return text === undefined ? ctx.say(keys.none, { count }) : ctx.say(keys.some, { text: name(text), count });
}

function wordNext(ctx: BotContext, { asked, lots }: ImportPreview): string {
  const [first] = asked;
  if (first) return wordAsked(ctx, ASKING, first.text, first.codes);
  return ctx.say(countFresh(lots) === 0 ? 'add-preview-nothing' : 'add-preview-next');
}

export const countFresh = (lots: ImportPreview['lots']): number =>
  lots.reduce((sum, { fresh }) => sum + fresh, 0);

/** `data` is that of the last button, where there is something to add and nothing to ask any more. */
export function previewKeyboard(
  { core }: Deps,
  ctx: BotContext,
  importId: number,
  { gameId }: ImportState,
  { asked, lots }: ImportPreview,
  data: string | undefined,
): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  const [first] = asked;
  if (first) {
    askWhich(ctx, keyboard, core.games.find(gameId), `add:as:${importId}:${first.key}`);
  } else if (data !== undefined) {
    keyboard.text(
      ctx.label('button-add-codes', { count: String(countFresh(lots)), n: countFresh(lots) }),
      data,
    );
  } else keyboard.text(ctx.label('button-paste-more'), `add:more:${importId}`);
  return keyboard.text(ctx.label('button-cancel'), `add:stop:${importId}`);
}

function askWhich(ctx: BotContext, keyboard: InlineKeyboard, game: Game | undefined, data: string): void {
  for (const [index, amount] of (game?.denominations ?? []).slice(0, MOST_BUTTONS).entries()) {
    if (game && index % DENOMINATIONS_A_ROW === 0) keyboard.row();
    if (game) keyboard.text(wordLot(ctx, game, amount), `${data}:${amount}`);
  }
  keyboard.row().text(ctx.label('button-leave-out'), `${data}:out`);
}
