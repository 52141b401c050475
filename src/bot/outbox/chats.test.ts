// Notices in the chat, word for word, and to whom each goes.
import { SHOP_DOINGS } from '../../../test/world/play/chat-doings.ts';
import type { Stage } from '../../../test/world/play/stage.ts';
import { testChats } from '../../../test/world/play/chat-file.ts';
import { writeNotice, type Notice } from '../../core/notices/notices.ts';
import { createStore } from '../../store/index.ts';

const NOON = Date.UTC(2026, 0, 13, 12);

/**
 * `* notice {…}` of the account, or `* notice of the host {…}`; `* told`: written as the core writes them, beside the
 * running program.
 */
const notices: { ofHost: boolean; facts: object }[] = [];
const notice = (_: Stage, rest: string) => {
  const json = rest.replace('of the host ', '');
  notices.push({ ofHost: json !== rest, facts: JSON.parse(json) as object });
};
async function told(t: Stage): Promise<void> {
  const beside = createStore({ path: t.app().databasePath, exclusive: false });
  await beside.write((tables) => {
    for (const { ofHost, facts } of notices.splice(0))
      writeNotice(tables, { ...facts, accountId: ofHost ? null : t.accountId } as Notice, NOON);
  });
  await beside.close();
}

testChats(import.meta.dirname, [['notices']], { ...SHOP_DOINGS, notice, told });
