// How the console calls what it shows: people, games, amounts, states, and why something failed.
import { html } from 'hono/html';

import type { ActorLabel, ExportedRedemption } from '../../core/index.ts';
import { BASE, type Html, type ScreenContext } from '../context.ts';
import { badge, type Tone } from './badge.ts';

type Words = Pick<ScreenContext, 't'>;

export function labelPerson({ t }: Words, label: ActorLabel): string {
  switch (label.kind) {
    case 'member':
      return label.name ?? t('person-former', { id: String(label.telegramId) });
    case 'apiKey':
      return t('person-key', { key: label.prefix ?? String(label.apiKeyId) });
    case 'host':
    case 'lost':
      return t(`person-${label.kind}`);
  }
}

/** `60 UC`; `—` where it is not known. */
export function labelAmount({ core }: Pick<ScreenContext, 'core'>, gameId: string, amount?: number): string {
  return amount === undefined ? '—' : `${amount} ${core.games.find(gameId)?.currency ?? ''}`.trim();
}

export const labelGame = ({ core, language }: Pick<ScreenContext, 'core' | 'language'>, gameId: string) =>
  core.games.nameOf(gameId, language);

/** The receipts that fit these filters. */
export const receiptsHref = (filters: Record<string, string>): string =>
  `${BASE}/receipts?${new URLSearchParams(filters).toString()}`;

/** The receipts of one player. */
export const playerHref = (playerId: string): string => receiptsHref({ player: playerId });

/** In a list: the ID, which leads to what the player got, and the name. */
export const playerCell = ({
  playerId,
  playerName,
}: {
  playerId: string;
  playerName?: string | undefined;
}): Html =>
  html`<a href="${playerHref(playerId)}">${playerId}</a
    >${playerName ? html` <small>${playerName}</small>` : ''}`;

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
  const why = state === 'failed' && errorCode !== undefined ? t(`error-${errorCode}`) : undefined;
  return badge(TONES[state], why ?? t(`state-${state}`));
}
