// What is said of an update that was put aside, word for word: to whoever sent it, and to the host.
import { testChats } from '../../../test/world/play/chat-file.ts';
import { SHOP_DOINGS } from '../../../test/world/play/chat-doings.ts';
import type { Stage } from '../../../test/world/play/stage.ts';
import { createBotStore } from '../../store/bot-store.ts';
import { createStore } from '../../store/index.ts';

const RECEIVED_AT = Date.UTC(2026, 0, 13, 7, 36);
const text = 'ABCDEFGH1234';
const chat = (id: number, type = 'private') => ({ id, type });

type Person = Stage['host'];
/** Updates by what they are. Each has something that nobody is told of. */
const UPDATES: Record<string, (from: Person) => object> = {
  command: (from) => ({
    message: {
      ...{ from, chat: chat(from.id), text: `/add_codes ${text}` },
      entities: [{ type: 'bot_command', offset: 0, length: 10 }],
    },
  }),
  message: (from) => ({
    message: {
      ...{ from, chat: chat(from.id), text: `What of /add_codes ${text}?` },
      entities: [{ type: 'bot_command', offset: 8, length: 10 }],
    },
  }),
  correction: (from) => ({ edited_message: { from, chat: chat(from.id), text } }),
  file: (from) => ({ message: { from, chat: chat(from.id), document: {}, caption: text } }),
  payment: (from) => ({ message: { from, chat: chat(from.id), successful_payment: { invoice: text } } }),
  refund: (from) => ({ message: { from, chat: chat(from.id), refunded_payment: { invoice: text } } }),
  tap: (from) => ({
    callback_query: { from, message: { chat: chat(from.id) }, data: `redeem-now:${text}` },
  }),
  membership: (from) => ({ my_chat_member: { from, chat: chat(from.id) } }),
  group: (from) => ({ message: { from, chat: chat(-7, 'group'), text } }),
  poll: () => ({ poll: { question: text } }),
};

/** `* fatal owner command`: an update of theirs, with which three processes of the service have ended. */
async function fatal(t: Stage, rest: string): Promise<void> {
  await t.restart(async () => {
    const [who = '', what = ''] = rest.split(' ');
    const people: Record<string, Person> = { ...t.people, stranger: t.stranger };
    const person = { ...people[who]!, first_name: `<${who}>` };
    const store = createStore({ path: t.app().databasePath, exclusive: false });
    const { inbox } = createBotStore(store, () => RECEIVED_AT);
    const id = 900_001 + inbox.countSetAside();
    const update = { update_id: id, ...UPDATES[what]!(person) };
    await inbox.save([{ updateId: id, update: JSON.stringify(update) }]);
    for (let life = 1; life <= 3; life += 1) await inbox.begin(id);
    await store.close();
  });
  await t.quiet();
  // Of this alone the log tells as of an error.
  const others = t.errors.filter((line) => !line.includes('it is set aside'));
  t.errors.splice(0, t.errors.length, ...others);
}

testChats(import.meta.dirname, [['set-aside']], { ...SHOP_DOINGS, fatal });
