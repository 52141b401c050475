// Notices in the chat, word for word, and to whom each goes; and what Telegram refuses of what is said.
import { SHOP_DOINGS } from '../../../test/world/play/chat-doings.ts';
import type { Stage } from '../../../test/world/play/stage.ts';
import { testChats } from '../../../test/world/play/chat-file.ts';
import { writeNotice, type Notice } from '../../core/notices/notices.ts';
import { createBotStore } from '../../store/bot-store.ts';
import { createStore, type Store } from '../../store/index.ts';
import { toOutgoingRow, type OutboxContent } from '../outgoing.ts';

const NOON = Date.UTC(2026, 0, 13, 12);

/**
 * `* notice {…}` of the account, or `* notice of the host {…}`; `* told`: written as the core writes them, beside the
 * running program.
 */
const notices: { ofHost: boolean; facts: object | null }[] = [];
const notice = (_: Stage, rest: string) => {
  const json = rest.replace('of the host ', '');
  notices.push({ ofHost: json !== rest, facts: JSON.parse(json) as object });
};
/** `* broken`: one that nobody can word. */
const broken = () => void notices.push({ ofHost: false, facts: null });
const told = (t: Stage) =>
  beside(t, (store) =>
    store.write((tables) => {
      for (const { ofHost, facts } of notices.splice(0))
        if (facts) writeNotice(tables, { ...facts, accountId: ofHost ? null : t.accountId } as Notice, NOON);
        else tables.tasks.add({ task: 'announce', queue: 'notices', payload: 'null', now: NOON });
    }),
  );

async function beside(t: Stage, work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = createStore({ path: t.app().databasePath, exclusive: false });
  await work(store);
  await store.close();
}

type Person = keyof Stage['people'];

/** `* phone admin ru`: the language of their Telegram. */
const phone = (t: Stage, rest: string) => {
  const [who, language] = rest.split(' ') as [Person, string];
  t.people[who].language_code = language;
};
const blocks = (t: Stage, who: string) => t.api.block(t.people[who as Person]);

/**
 * `* brings owner {"html":"…"}`: what an action has ordered for their chat. A `messageId` from the end: -1 is the
 * newest of the bot; 0 one that is gone.
 */
const brings = (t: Stage, rest: string) => {
  const [, who = '', json = ''] = /^(\w+) (.*)$/.exec(rest) ?? [];
  const { id } = t.people[who as Person];
  const { messageId, ...content } = JSON.parse(json) as OutboxContent;
  const ids = t.api.messages(t.people[who as Person]).flatMap((one) => (one.byBot ? [one.id] : []));
  const place = messageId === undefined ? {} : { messageId: messageId === 0 ? 999_999 : ids.at(messageId) };
  const row = toOutgoingRow(`brought:${t.api.calls().length}`, id, { ...content, ...place });
  return beside(t, (store) => createBotStore(store, () => NOON).outbox.save([row]));
};

testChats(import.meta.dirname, [['notices'], ['other-notices'], ['forms']], {
  ...{ ...SHOP_DOINGS, notice, broken, told, phone, blocks, brings },
});
