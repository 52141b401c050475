// Claim links in the chat, word for word: made and sent, revoked, and those that wait for somebody of the account.
import { SHOP_DOINGS } from '../../../test/world/play/chat-doings.ts';
import { testChats, withGames } from '../../../test/world/play/chat-file.ts';
import type { Stage } from '../../../test/world/play/stage.ts';

/** The token of the nth link in the newest file of links that the admin has. */
function tokenOf(t: Stage, n: string): string {
  const files = t.api.messages(t.people.admin).flatMap(({ document }) => document ?? []);
  const links = files.findLast(({ name }) => name.startsWith('links-'))?.bytes.toString() ?? '';
  return links.split('\n')[Number(n) - 1]?.split('/c/')[1] ?? '';
}

/** `* tries 2 4041234561 4041234562`: whoever has the second link looks these players up by it. */
async function tries(t: Stage, rest: string): Promise<void> {
  const [n = '', ...players] = rest.split(' ');
  for (const playerId of players) await t.app().core.visits.lookUp(tokenOf(t, n), playerId);
}

/** `* buys 1 5170925570`: whoever has the first link confirms this player. */
async function buys(t: Stage, rest: string): Promise<void> {
  await tries(t, rest);
  const { visits } = t.app().core;
  const token = tokenOf(t, rest.split(' ')[0] ?? '');
  await visits.confirm(token, visits.open(token)?.candidate?.nonce ?? '', 'browser');
}

testChats(
  import.meta.dirname,
  [['links'], ['stuck'], ['restored'], ['two-games', withGames('two-games')], ['russian']],
  {
    ...SHOP_DOINGS,
    tries,
    buys,
  },
);
