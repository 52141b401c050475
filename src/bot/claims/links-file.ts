// The file of claim links as it is sent, a link a line: made when it is sent, so that no link is in a row of the outbox.
import { InlineKeyboard } from 'grammy';

import { formatAmount } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { createMemberView } from '../member-view.ts';
import { formatDay, zoneOf } from '../moments.ts';
import type { View } from '../outgoing.ts';
import { toFile } from '../stock/code-file.ts';

/** The name of the view, and what the buttons under it begin with. */
export const LINKS = 'links';
export const LINKS_AGAIN = 'links:again';
export const REVOKE_LINKS = 'links:revoke';

/** `id`: of any of them. `isFirst`: they were never brought before, however long Telegram was away. */
export interface LinksResult {
  id: string;
  isFirst?: true;
}

export const createLinksView = (deps: Pick<BotDeps, 'core' | 'texts' | 'settings'>): View =>
  createMemberView<LinksResult>(deps, async (reader, { id, isFirst = false }) => {
    const { core, settings } = deps;
    if (settings.publicUrl === undefined) return { html: reader.say('links-off') };
    const found = await core.claims.findLinks(reader.actor, id, { atAnyAge: isFirst });
    if (found?.status !== 'found') return { html: reader.say(found ? 'links-late' : 'button-old') };
    const { claims, issue } = found;
    if (claims.length === 0) return { html: reader.say('links-all-over') };
    const { gameId, amount, reference = 'none', expiresAt } = issue.first;
    const what = formatAmount(amount, core.games.find(gameId));
    const until = formatDay(reader.language, expiresAt, zoneOf(deps, reader.actor));
    return toFile(reader, {
      name: `links-${amount}-${claims.length}.txt`,
      text: claims.map(({ token }) => `${settings.publicUrl}/c/${token}`).join('\n'),
      caption: reader.say('links-caption', { count: claims.length, what, game: gameId, reference, until }),
      again: `${LINKS_AGAIN}:${id}`,
      below: new InlineKeyboard().text(reader.label('links-button-revoke'), `${REVOKE_LINKS}:${id}`),
    });
  });
