// A redemption as a message: a receipt, a failure in plain words, or how far it is. Code and credentials only where the
// place is private, always behind spoilers and never in monospace (Telegram drops a spoiler that meets it).
import {
  formatAmount,
  isPlayerId,
  type Game,
  type ReceiptDetails,
  type Redemption,
} from '../../core/index.ts';
import { labelActor } from '../actor.ts';
import { formatMoment } from '../moments.ts';
import { escapeHtml, name, type Language, type Texts } from '../texts.ts';

/** A redemption with what is told beside it. */
export interface ReceiptView {
  redemption: Redemption;
  facts: ReceiptDetails;
  /** undefined when the catalogue has it no more. */
  game: Game | undefined;
  /** In which its times are told. */
  timeZone: string;
  /** The platform is for trying: nothing is redeemed in truth, and the receipt says so. */
  isSandbox: boolean;
  /** The platform keeps no list of orders, in which a top-up could be looked for. */
  hasNoOrderList?: boolean | undefined;
  /** Of its denomination, where it has just been redeemed. */
  left?: number | undefined;
}

/** Where and to whom a receipt is shown. */
export interface ReceiptPlace {
  texts: Texts;
  language: Language;
  /** undefined in a private chat, the only place for code and credentials. */
  group: { botUsername: string } | undefined;
  /** The reader may redeem: there are buttons for what comes next. */
  mayRedeem: boolean;
}

/** A longer secret does not fit in a message: it is sent as a file. */
const LONGEST_SHOWN = 2_800;

/** The text of the message; in a group the public part. Its buttons are made by show-receipt.ts. */
export function renderReceipt(view: ReceiptView, place: ReceiptPlace): string {
  const { texts, language } = place;
  const say: Say = (key, variables) => texts.say(language, key, variables);
  const { redemption } = view;
  const lines = [
    say(`receipt-title-${redemption.state.replace('_', '-')}`, { id: String(redemption.id) }),
    ...(view.isSandbox ? [say('receipt-sandbox')] : []),
    '',
    ...describeRedemption(view, place, say),
    ...(place.group ? [] : describeCredentials(view, say)),
    ...describeOutcome(view, say),
    '',
    `/receipt_${redemption.id}`,
  ];
  return lines.join('\n');
}

/** The message of a redemption under way; the seconds pass. */
export function renderRunning(view: ReceiptView, place: ReceiptPlace, seconds: number): string {
  const { redemption, game } = view;
  return place.texts.say(place.language, 'redeem-running', {
    what:
      describeWanted(redemption, game) ??
      place.texts.label(place.language, 'game-name', { game: redemption.gameId }),
    player: name(redemption.playerName ?? redemption.playerId),
    seconds: String(seconds),
  });
}

/** `60 UC`; undefined where only a code is known. */
export function describeWanted(
  { denomination }: Pick<Redemption, 'denomination'>,
  game: Game | undefined,
): string | undefined {
  return denomination === null ? undefined : formatAmount(denomination, game);
}

/** Whether a secret has no room in a message, markup counted. */
export function isTooLong(secret: string): boolean {
  return escapeHtml(secret).length > LONGEST_SHOWN;
}

type Say = (key: string, variables?: Record<string, string | number>) => string;

function describeRedemption(view: ReceiptView, { group, texts, language }: ReceiptPlace, say: Say): string[] {
  const { redemption, facts, left } = view;
  const { gameId, playerId, playerName, code } = redemption;
  // Over HTTP anything may be sent as an ID, and what is malformed is recorded as it came.
  const player = isPlayerId(playerId) ? playerId : name(playerId);
  return [
    say('receipt-game', { game: gameId }),
    playerName === null
      ? say('receipt-player-id', { player })
      : say('receipt-player', { player, name: name(playerName) }),
    ...describeAmount(view, say),
    ...(!group && code !== null ? [say('receipt-code', { code })] : []),
    say('receipt-when', { when: formatMoment(language, redemption.createdAt, view.timeZone) }),
    say('receipt-by', { who: labelActor(texts.label.bind(undefined, language), facts.actorLabel) }),
    ...(group || left === undefined
      ? []
      : [say('receipt-left', { what: describeWanted(redemption, view.game) ?? '', count: left })]),
  ];
}

function describeAmount({ redemption, game }: ReceiptView, say: Say): string[] {
  const { state, amount } = redemption;
  const wanted = describeWanted(redemption, game);
  if (state !== 'redeemed') return wanted === undefined ? [] : [say('receipt-wanted', { what: wanted })];
  if (amount !== null) return [say('receipt-amount', { what: formatAmount(amount, game) })];
  return wanted === undefined
    ? [say('receipt-amount-unknown')]
    : [say('receipt-amount-unsure', { what: wanted })];
}

/** Behind spoilers, under an empty line; nothing where there are none. */
export function describeCredentials({ redemption, game }: ReceiptView, say: Say): string[] {
  const { email, password } = redemption.credentials ?? {};
  const [login, secret] =
    game?.receipts === 'session'
      ? (['receipt-account-id', 'receipt-session-token'] as const)
      : (['receipt-login', 'receipt-password'] as const);
  const lines = [
    ...(email ? [say(login, { value: email })] : []),
    ...(password ? [isTooLong(password) ? say('receipt-too-long') : say(secret, { value: password })] : []),
  ];
  return lines.length === 0 ? [] : ['', ...lines];
}

function describeOutcome({ redemption, facts, hasNoOrderList }: ReceiptView, say: Say): string[] {
  switch (redemption.state) {
    case 'redeemed':
      return redemption.warning
        ? [
            '',
            say(hasNoOrderList ? 'receipt-no-order-list' : 'receipt-warning', { id: String(redemption.id) }),
          ]
        : [];
    case 'pending':
      return ['', say('receipt-pending')];
    case 'in_doubt':
      return ['', say('receipt-in-doubt')];
    case 'failed':
      return ['', ...describeFailure(redemption, facts, say)];
  }
}

function describeFailure(redemption: Redemption, facts: ReceiptDetails, say: Say): string[] {
  // A redemption refused since its code is in another open one has no errorCode of its own.
  const reason =
    facts.code === 'elsewhere'
      ? 'receipt-reason-code-elsewhere'
      : facts.isPaused
        ? 'receipt-reason-paused'
        : failureLabel(redemption);
  // One of the database was put aside; one that was sent is with its sender.
  const codeEnd = facts.code === 'invalid' && redemption.mode === 'direct' ? 'refused' : facts.code;
  return [
    say(reason),
    ...(facts.code === 'none' || facts.code === 'elsewhere' ? [] : [say(`receipt-code-${codeEnd}`)]),
    say(facts.charged ? 'receipt-charged' : 'receipt-not-charged'),
    say(`receipt-next-${nextStep(redemption, facts)}`),
  ];
}

/** The words for why it failed. */
export const failureLabel = ({ errorCode }: Pick<Redemption, 'errorCode'>): string =>
  `receipt-reason-${(errorCode ?? 'UNKNOWN').toLowerCase().replaceAll('_', '-')}`;

/** What helps after a failure: the sentence, and the button that goes with it. */
export function nextStep(
  { errorCode, mode }: Redemption,
  facts: ReceiptDetails,
): 'other-denomination' | 'other-player' | 'other-code' | 'again' | 'later' {
  if (facts.code === 'elsewhere') return 'other-code';
  switch (errorCode) {
    case 'NO_CODES_AVAILABLE':
      return 'other-denomination';
    case 'CHARACTER_NOT_FOUND':
      return 'other-player';
    case 'INVALID_CODE':
    case 'CODE_USED':
      if (facts.code !== 'used' && facts.code !== 'invalid') return 'later';
      return mode === 'direct' ? 'other-code' : 'again';
    default:
      return 'later';
  }
}
