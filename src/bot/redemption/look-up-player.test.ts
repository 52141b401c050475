// Looking a player up for a message: the name, or the one sentence why there is none, with the way on.
import { expect, test } from 'vitest';

import { createRecordedContext, soon, type SaidWords } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { CoreError } from '../../core/index.ts';
import { lookUpPlayer, type LookUpPlace } from './look-up-player.ts';

async function lookUp(answer: object | Error, place?: LookUpPlace) {
  const asked: unknown[] = [];
  const shown: unknown[] = [];
  const core = {
    findCharacter: (actor: object, given: object, key: object) => {
      asked.push([actor, given, key]);
      return soon(() => {
        if (answer instanceof Error) throw answer;
        return answer;
      });
    },
  };
  const replyWithChatAction = (action: string) => (shown.push(action), Promise.reject(new Error('away')));
  const { ctx, said } = createRecordedContext({ replyWithChatAction });
  const order = { gameId: 'game_id_1', playerId: '5170925570' };
  const player = await lookUpPlayer(fake({ core }), ctx, order, place);
  // It shows that it is looking, whatever becomes of that.
  expect(shown).toEqual(['typing']);
  expect(asked).toEqual([[ctx.actor, order, { scope: 'chat', key: 'look-up:77:5170925570' }]]);
  return { player, said };
}

test('a player that is found has a name', async () => {
  expect(await lookUp({ status: 'found', name: 'Player' })).toEqual({
    player: { playerId: '5170925570', name: 'Player' },
    said: [],
  });
});

const OTHER = ['button-other-player -> go:redeem'];
const AGAIN = ['button-try-again -> asked:again'];
const again = () => soon(() => 'asked:again');

test.each<[answer: object | Error, place: LookUpPlace | undefined, said: SaidWords[]]>([
  [{ status: 'notFound' }, undefined, [['reply', 'redeem-player-unknown\nID 5170925570', OTHER]]],
  [
    { status: 'notFound' },
    { messageId: 8, again },
    [['edit 8', 'redeem-player-unknown\nID 5170925570', OTHER]],
  ],
  [{ status: 'unreachable' }, undefined, [['reply', 'redeem-unreachable\nID 5170925570', OTHER]]],
  [{ status: 'unreachable' }, { again }, [['reply', 'redeem-unreachable\nID 5170925570', AGAIN, OTHER]]],
  [{ status: 'notOffered' }, { isSeveral: true }, [['reply', 'plain-one-at-a-time\nID 5170925570']]],
  [
    { status: 'quotaExceeded', retryAfterSeconds: 3_600 },
    { messageId: 8 },
    [['edit 8', 'redeem-quota {"hours":1,"minutes":0}', ['button-buy -> go:buy_activations']]],
  ],
  [
    { status: 'tooManyBadRequests', retryAfterSeconds: 9 },
    undefined,
    [['reply', 'redeem-refused-too-often {"seconds":9}']],
  ],
])('%j', async (answer, place, said) => {
  expect(await lookUp(answer, place)).toEqual({ player: undefined, said });
});

test('without a subscription it says so; anything else is thrown', async () => {
  const { player, said } = await lookUp(new CoreError('SUBSCRIPTION_EXPIRED', 'x'), { messageId: 8 });
  expect([player, said.map(([how, , ...rows]) => [how, rows])]).toEqual([
    undefined,
    [['edit 8', [['button-subscribe -> go:subscribe']]]],
  ]);
  for (const error of [new CoreError('FORBIDDEN', 'x'), new CoreError('STOPPING', 'x'), new Error('no disk')])
    await expect(lookUp(error)).rejects.toBe(error);
});
