// How the console calls what it shows: people, games, amounts, states, and why something failed.
import { html } from 'hono/html';

import {
  formatAmount,
  type ActorLabel,
  type ApiKeySummary,
  type ExportedRedemption,
} from '../../core/index.ts';
import { BASE, type Html, type ScreenContext } from '../context.ts';

type Words = Pick<ScreenContext, 't'>;

/** `wait`: under way; `doubt`: not known; `calm`: over, or of no concern. */
export type Tone = 'good' | 'bad' | 'wait' | 'doubt' | 'calm';

/** A state, by word and by colour: the word alone tells it, too. */
export const badge = (tone: Tone, label: string): Html => html`<span class="badge ${tone}">${label}</span>`;

/** To a page of the console. */
export const link = (path: string, text: Html | string | number): Html =>
  html`<a href="${BASE}${path}">${text}</a>`;

/** The same, as a button. */
export const linkButton = (path: string, text: string): Html =>
  html`<a class="button" href="${BASE}${path}">${text}</a>`;

/** What only whoever has just entered may do; later, how: nothing looks usable that would be refused. */
export const whenFresh = ({ session, t }: Pick<ScreenContext, 'session' | 't'>, shown: Html): Html =>
  session.isFresh ? shown : html`<small>${t('not-fresh')}</small>`;

export function labelPerson({ t }: Words, label: ActorLabel): string {
  switch (label.kind) {
    case 'member':
      return label.name ?? t('person-former', { id: String(label.telegramId) });
    case 'apiKey':
      return t('person-key', { key: label.prefix ?? String(label.apiKeyId) });
    case 'claim':
      return t('person-claim', { claim: label.claim ?? '' });
    case 'host':
    case 'lost':
      return t(`person-${label.kind}`);
  }
}

/** `Till, crs_…`. */
export const labelKey = ({ name, prefix }: Pick<ApiKeySummary, 'name' | 'prefix'>): string =>
  name === undefined ? `${prefix}…` : `${name}, ${prefix}…`;

/** `60 UC`; `—` where it is not known. */
export function labelAmount(
  { core }: Pick<ScreenContext, 'core'>,
  gameId: string,
  amount?: number | null,
): string {
  return amount === null || amount === undefined ? '—' : formatAmount(amount, core.games.find(gameId));
}

export const labelGame = ({ core, language }: Pick<ScreenContext, 'core' | 'language'>, gameId: string) =>
  core.games.nameOf(gameId, language);

/** The receipts that fit these filters. */
export const receiptsPath = (filters: Record<string, string>): string =>
  `/receipts?${new URLSearchParams(filters).toString()}`;

/** The ID, which leads to what the player got, and the name. */
export const playerCell = (player: { playerId: string; playerName?: string | null | undefined }): Html =>
  html`${link(receiptsPath({ player: player.playerId }), player.playerId)}${
    player.playerName && html` <small>${player.playerName}</small>`
  }`;

const TONES: Record<ExportedRedemption['state'], Tone> = {
  redeemed: 'good',
  failed: 'bad',
  in_doubt: 'doubt',
  pending: 'wait',
};

/** A failure says why. */
export function receiptBadge(
  { t }: Words,
  { state, errorCode }: Pick<ExportedRedemption, 'state' | 'errorCode'>,
): Html {
  const why = state === 'failed' && errorCode !== null ? t(`error-${errorCode}`) : undefined;
  return badge(TONES[state], why ?? t(`state-${state}`));
}
