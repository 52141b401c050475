// What a restore has taken out of the tail of a stock: which of those codes buyers have is asked, the others are put back.
import { html } from 'hono/html';

import {
  ConsoleProblem,
  memberOf,
  requireNumber,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { act, get } from '../parts/acts.ts';
import { actionButton, form, hidden } from '../parts/form.ts';
import { linkButton } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { labelDenomination } from './stock.ts';

interface InQuestion {
  gameId: string;
  denomination: number;
}

export const putBackScreen: Screen = {
  name: 'put-back',
  routes: [
    get('/stock/in-question', 'handleBadCodes', (context) => show(context)),
    act('/stock/in-question', 'handleBadCodes', { run: showCodes }),
    act('/stock/put-back', 'handleBadCodes', { run: putBack, to: '/stock', said: 'put-back' }),
  ],
};

/** By the form, or the address of the page. */
function namedIn({ c, field }: ScreenContext): InQuestion {
  const named = (key: string) => field(key) || (c.req.query(key) ?? '');
  return { gameId: named('game'), denomination: requireNumber(named('denomination')) };
}

function show(context: ScreenContext, codes?: readonly string[]): Html {
  const { t, core } = context;
  const { gameId, denomination } = namedIn(context);
  const game = core.games.managed.find(({ id }) => id === gameId);
  if (!game) throw new ConsoleProblem(404, 'not-found');
  const fields = { game: gameId, denomination };
  const stockKey = labelDenomination(game, denomination);
  const list =
    codes &&
    html`<label class="field wide">
      <span>${t('put-back-codes')}</span>
      <textarea rows="8" readonly>${codes.join('\n')}</textarea>
    </label>`;
  const asked = html`${hidden(fields)}
    <label class="field wide">
      <span>${t('put-back-buyers')}</span>
      <textarea name="buyers" rows="8" spellcheck="false" autocomplete="off"></textarea>
      <small>${t('put-back-buyers-hint')}</small>
    </label>
    <button class="main">${t('put-back-do')}</button>`;
  const body = html`<p>${t('put-back-text', { stockKey })}</p>
    ${list ?? actionButton('/stock/in-question', t('put-back-show'), { fields })}
    ${form('/stock/put-back', asked)}
    <p>${linkButton('/stock', t('cancel'))}</p>`;
  return page(context, { title: t('put-back-title'), body });
}

async function showCodes(context: ScreenContext): Promise<Html> {
  return show(context, await context.core.badCodes.readInQuestion(memberOf(context), namedIn(context)));
}

async function putBack(context: ScreenContext): Promise<void> {
  const { badCodes } = context.core;
  await badCodes.keepWithBuyers(memberOf(context), namedIn(context), context.field('buyers'));
  await badCodes.putBack(memberOf(context), namedIn(context));
}
