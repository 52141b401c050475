// Which bots the tokens of this file were of, in turn: another one has updates, messages, files and menus of its own.
import type { Sql } from '../sql.ts';
import { keepsInMeta } from './meta.ts';

export interface KnownBot {
  /** What stands before the `:` of its token. */
  id: string;
  username: string;
  /** In ms UTC. */
  since: number;
}

export function createBotsTable(sql: Sql) {
  const { find, save } = keepsInMeta<readonly KnownBot[]>(sql, 'bots');
  const forgetting = [
    sql.run<void>("update imports set shown_in = null where state = 'collecting'"),
    // What is pasted there follows what was pasted here, whatever numbers its messages have.
    sql.run<void>(`
      update import_pieces set position = position - 4294967296
      where import_id in (select id from imports where state = 'collecting')`),
    sql.run<void>('update confirmations set made_of = null where made_of is not null'),
    // What is left of it is the language: the next word of whoever it is sets the menu.
    sql.run<void>('update preferences set menu = substr(menu, 1, 3)'),
  ];
  return {
    /** The last of them is the one of now; one may come again. */
    list: (): readonly KnownBot[] => find() ?? [],
    save,
    /** Where something stands in the chats of another bot. */
    forgetPlaces: () => forgetting.forEach((each) => void each()),
  };
}
