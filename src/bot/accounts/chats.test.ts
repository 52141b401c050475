// Members and keys in the chat, word for word.
import { personOf, SHOP_DOINGS } from '../../../test/world/play/chat-doings.ts';
import { testChats } from '../../../test/world/play/chat-file.ts';
import { MONEY_DOINGS } from '../../../test/world/play/money-doings.ts';
import type { Stage } from '../../../test/world/play/stage.ts';

const DOINGS = {
  /** `* shop stranger`: they own an account, with a subscription. */
  shop: async (t: Stage) => {
    const { accounts } = t.app().core;
    const { actor } = await accounts.openOwn({ telegramId: t.stranger.id, name: 'Other' });
    await accounts.grant({ kind: 'host', by: 'cli' }, { accountId: actor.accountId, days: 3 });
  },
  /** `* enters owner`: the newest link to the console that they got is opened in a browser. */
  enters: async (t: Stage, who: string) => {
    const said = JSON.stringify(t.api.messages(personOf(t, who)).map(({ html, markup }) => [html, markup]));
    const token = [...said.matchAll(/\/enter\/([\w-]+)/g)].at(-1)?.[1] ?? '';
    await t.app().core.consoleAccess.enter({ token, once: 'once', browser: 'Firefox' });
  },
};
const URL = 'https://shop.example/console';

testChats(
  import.meta.dirname,
  [
    ['members'],
    ['half-told'],
    ['keys'],
    ['key-addresses'],
    ['log'],
    ['console', { consoleUrl: URL }],
    ['console-here', { consoleUrl: 'http://127.0.0.1:3000/console' }],
  ],
  { ...SHOP_DOINGS, ...MONEY_DOINGS, ...DOINGS },
);
