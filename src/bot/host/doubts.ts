// Redemptions in doubt as the host sees them: those of an account, and a card for each with what was sent of it and
// answered, where a person says what became of it.
import { InlineKeyboard } from 'grammy';

import type { Account, DecideAnswer, DoubtDetail } from '../../core/index.ts';
import { type BotContext, type BotDeps, hostOf } from '../context.ts';
import { among, button, type Feature, wholeNumber } from '../feature.ts';
import { confirming } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import { askInWords, readName } from '../prompts/ask.ts';
import { addBack } from '../prompts/paging-keyboard.ts';
import { answerTap, editHtml } from '../replies.ts';
import { name, shorten } from '../texts.ts';
import { moment, takeAccount } from './host-menus.ts';

/** Those that a message names, and a row of buttons. */
const MOST_DOUBTS = 10;
const IN_A_ROW = 5;
/** Of a card: the newest that was sent, and of each answer as much as is shown. */
const MOST_ATTEMPTS = 6;
const LONGEST_ANSWER = 300;

export function createDoubtCards(deps: BotDeps): Feature {
  const { questions, buttons } = createDecision(deps);
  return {
    questions,
    buttons: {
      'host:doubts': button('hosts', [wholeNumber()], (ctx, id) => {
        const account = takeAccount(deps, ctx, id);
        return account && editHtml(ctx, ...renderDoubts(deps, ctx, account));
      }),
      'host:doubt': button('hosts', [wholeNumber()], (ctx, id) => {
        const doubt = takeDoubt(deps, ctx, id);
        return doubt && editHtml(ctx, ...renderDoubt(deps, ctx, doubt));
      }),
      'host:decide': button('hosts', [among('yes', 'no'), wholeNumber()], (ctx, said, id) => {
        const doubt = takeDoubt(deps, ctx, id);
        return doubt && askForReason(ctx, { redemptionId: id, isRedeemed: said === 'yes' });
      }),
      ...buttons,
    },
  };
}

/** The one that a button names; undefined where it is in doubt no more, which the tap is told. */
function takeDoubt(deps: BotDeps, ctx: BotContext, id: number): DoubtDetail | undefined {
  const doubt = deps.core.doubts.find(hostOf(ctx), id);
  if (!doubt) answerTap(ctx, ctx.label('host-doubt-over'), true);
  return doubt;
}

function renderDoubts(deps: BotDeps, ctx: BotContext, account: Account): [string, InlineKeyboard] {
  const { doubts, isPart } = deps.core.doubts.listOf(hostOf(ctx), account.id);
  const keyboard = new InlineKeyboard();
  if (doubts.length > 0) keyboard.text(ctx.label('host-button-ask-now'), `host:ask:${account.id}`);
  const shown = doubts.slice(0, MOST_DOUBTS);
  for (const [index, { id }] of shown.entries()) {
    if (index % IN_A_ROW === 0) keyboard.row();
    keyboard.text(String(id), `host:doubt:${id}`);
  }
  addBack(keyboard, ctx, `host:account:${account.id}`);
  if (doubts.length === 0) return [ctx.say('host-doubts-none', { account: name(account.name) }), keyboard];
  const lines = shown.map((doubt) => formatDoubt(deps, ctx, doubt));
  const more = doubts.length - lines.length;
  const facts = { account: name(account.name), count: countOf(doubts.length, isPart) };
  const rest = more > 0 ? [ctx.say('host-more', { count: String(more) })] : [];
  return [[ctx.say('host-doubts', facts), ...lines, ...rest].join('\n'), keyboard];
}

function formatDoubt(
  deps: BotDeps,
  ctx: BotContext,
  {
    id,
    createdAt,
    playerId,
    gameId,
    denomination,
    isHeld,
  }: Omit<DoubtDetail, 'attempts' | 'tellers' | 'quietAt'>,
): string {
  const doubt = ctx.say('host-doubt', {
    id: String(id),
    when: moment(deps, ctx, createdAt),
    player: playerId,
    game: gameId,
    denomination: denomination === undefined ? '' : ` · ${denomination}`,
  });
  return isHeld ? `${doubt} · ${ctx.label('host-doubt-held')}` : doubt;
}

function renderDoubt(deps: BotDeps, ctx: BotContext, doubt: DoubtDetail): [string, InlineKeyboard] {
  const { id, accountId, attempts, tellers, quietAt } = doubt;
  const account = name(doubt.accountName);
  const isQuiet = quietAt !== undefined && quietAt <= deps.clock.now();
  const shown = attempts.slice(-MOST_ATTEMPTS);
  const lines = [
    ctx.say('host-doubt-title', { account }),
    formatDoubt(deps, ctx, doubt),
    '',
    ...(shown.length < attempts.length
      ? [ctx.say('host-doubt-earlier', { count: attempts.length - shown.length })]
      : []),
    ...shown.flatMap((attempt) => formatAttempt(deps, ctx, attempt)),
    '',
    tellers.length > 0
      ? ctx.say('host-doubt-tellers', { names: tellers.join(', ') })
      : ctx.say('host-doubt-no-tellers'),
    ...(isQuiet
      ? []
      : [ctx.say(quietAt === undefined ? 'host-doubt-sending' : 'host-doubt-early', { until: at(quietAt) })]),
  ];
  const keyboard = new InlineKeyboard();
  if (quietAt !== undefined) keyboard.text(ctx.label('host-button-was-redeemed'), `host:decide:yes:${id}`);
  if (isQuiet) keyboard.text(ctx.label('host-button-was-not'), `host:decide:no:${id}`);
  addBack(keyboard, ctx, `host:doubts:${accountId}`);
  return [lines.join('\n'), keyboard];

  function at(ms: number | undefined): string {
    return ms === undefined ? '' : moment(deps, ctx, ms);
  }
}

function formatAttempt(
  deps: BotDeps,
  ctx: BotContext,
  { n, upstream, kind, state, errorCode, httpStatus, begunAt, answer }: DoubtDetail['attempts'][number],
): string[] {
  const facts = {
    ...{ n: String(n), upstream, when: moment(deps, ctx, begunAt) },
    kind: ctx.label(`host-attempt-${kind}`),
    state: ctx.label(`host-attempt-${state.replace('_', '-')}`),
    said: [httpStatus, errorCode].filter((each) => each !== null).join(' '),
  };
  const line = ctx.say('host-attempt', facts);
  return answer === null
    ? [line]
    : [line, ctx.say('host-attempt-answer', { text: shorten(answer, LONGEST_ANSWER) })];
}

/** `12`, or `12+` where there may be more. */
export const countOf = (known: number, isPart: boolean): string => `${known}${isPart ? '+' : ''}`;

// A host says what became of a doubt: the reason is asked for, and the whole once more before it is so.

/** The name of the question, and of the order that it ends in. */
const DECIDE = 'host-decide';
const LONGEST_REASON = 200;

interface Decided {
  redemptionId: number;
  isRedeemed: boolean;
}

type Order = Decided & { reason: string };

/** The question for the reason, and the last confirmation, which decides. */
function createDecision(deps: BotDeps): Pick<Feature, 'buttons' | 'questions'> {
  const deciding = confirming<Order>(deps, DECIDE, {
    needs: 'hosts',
    asks: (ctx, { redemptionId, isRedeemed, reason }) => ({
      html: ctx.say(`host-ask-decide-${isRedeemed ? 'redeemed' : 'returned'}`, {
        id: String(redemptionId),
        reason: name(reason, LONGEST_REASON),
      }),
      label: ctx.label(isRedeemed ? 'host-button-was-redeemed' : 'host-button-was-not'),
      style: 'danger',
    }),
    async does(ctx, { payload, ends, result }) {
      const inTransaction = ends((answer: DecideAnswer) => [
        result(toOutgoing(formatAnswer(deps, ctx, payload, answer))),
      ]);
      await deps.core.doubts.decide(hostOf(ctx), payload, inTransaction);
    },
  });
  return {
    buttons: deciding.button,
    questions: {
      [DECIDE]: {
        needs: 'hosts',
        takesWords: true,
        async hear(ctx, of, text) {
          const reason = readName(text, LONGEST_REASON);
          if (reason === undefined)
            return ctx.say('host-decide-reason-again', { most: String(LONGEST_REASON) });
          await deciding.ask(ctx, { ...(JSON.parse(of) as Decided), reason });
          return true;
        },
      },
    },
  };
}

const askForReason = (ctx: BotContext, decided: Decided): Promise<void> =>
  askInWords(
    ctx,
    ctx.say('host-decide-reason', { id: String(decided.redemptionId) }),
    DECIDE,
    JSON.stringify(decided),
  );

function formatAnswer(
  deps: BotDeps,
  ctx: BotContext,
  { redemptionId, isRedeemed }: Order,
  answer: DecideAnswer,
): string {
  const id = String(redemptionId);
  switch (answer.status) {
    case 'decided':
      return ctx.say(isRedeemed ? 'host-decided-redeemed' : 'host-decided-returned', { id });
    case 'none':
      return ctx.say('host-doubt-over');
    case 'tooEarly':
      return answer.until === undefined
        ? ctx.say('host-doubt-sending')
        : ctx.say('host-doubt-early', { until: moment(deps, ctx, answer.until) });
  }
}
