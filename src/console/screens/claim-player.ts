// The player of a claim link, where the account knows them better than whoever has the link: the ID is typed, the platform
// names the player, and what the link is for is redeemed for them once that is confirmed.
import { html } from 'hono/html';

import type { ClaimRecord } from '../../core/index.ts';
import { ConsoleProblem, goTo, memberOf, type Html, type ScreenContext } from '../context.ts';
import { confirmation } from '../parts/acts.ts';
import { labelAmount } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { lookUp, playerForm, readPlayer, type TypedPlayer } from './another-player.ts';

const pathOf = ({ id }: ClaimRecord): string => `/claims/${id}`;

export function askClaimPlayer(context: ScreenContext, claim: ClaimRecord): Html {
  const { t } = context;
  const what = labelAmount(context, claim.gameId, claim.amount);
  const body = html`<p>${t('claim-player-text', { what })}</p>
    ${playerForm(context)}`;
  return page(context, { title: t('claim-player'), body });
}

export async function setClaimPlayer(context: ScreenContext, claim: ClaimRecord): Promise<Html | Response> {
  const { core, field } = context;
  const typed = readPlayer(context);
  const what = labelAmount(context, claim.gameId, claim.amount);
  if (field('sure') !== 'yes') {
    const name = await lookUp(context, claim.gameId, typed);
    const key = name === '' ? 'claim-player-sure-nameless' : 'claim-player-sure';
    return confirm(
      context,
      claim,
      { ...typed, name },
      context.t(key, { what, name, player: typed.playerId }),
    );
  }
  const { playerId } = typed;
  const name = field('name').slice(0, 200);
  const player = { playerId, ...(name !== '' && { playerName: name }) };
  const answer = await core.claims.setPlayer(memberOf(context), claim.id, player);
  switch (answer?.status) {
    case 'begun':
      return goTo(context, pathOf(claim), 'claim-player-set');
    case 'unproven':
      return confirm(context, claim, { ...typed, name }, context.t('claim-undecided'));
    case 'shortage':
      throw new ConsoleProblem(409, 'claim-shortage');
    default:
      // The same press once more is told what the first has begun.
      if (core.claims.find(memberOf(context), claim.id)?.playerId === playerId)
        return goTo(context, pathOf(claim), 'claim-player-set');
      throw new ConsoleProblem(409, 'claim-not-stuck');
  }
}

const confirm = (
  context: ScreenContext,
  claim: ClaimRecord,
  { once, playerId, name }: TypedPlayer & { name: string },
  text: string,
): Html =>
  confirmation(context, {
    ...{ text, label: context.t('claim-player-do'), back: pathOf(claim) },
    fields: { once, player: playerId, name },
  });
