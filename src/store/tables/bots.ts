// Which bots the tokens of this file were of, in turn: another one has updates, messages, files and menus of its own.
import { sql, type Orm } from '../engine/drizzle.ts';
import { confirmations, importPieces, imports, preferences } from '../schema/index.ts';
import { prepareMeta } from './meta.ts';

export interface KnownBot {
  /** What stands before the `:` of its token. */
  id: string;
  username: string;
  /** In ms UTC. */
  since: number;
}

export function createBotsTable(orm: Orm) {
  const { find, save } = prepareMeta(orm, 'bots');
  const forgetting = [
    orm
      .update(imports)
      .set({ shownIn: null })
      .where(sql`state = 'collecting'`)
      .prepare(),
    // What is pasted there follows what was pasted here, whatever numbers its messages have.
    orm
      .update(importPieces)
      .set({ position: sql`position - 4294967296` })
      .where(sql`import_id in (select id from imports where state = 'collecting')`)
      .prepare(),
    orm
      .update(confirmations)
      .set({ madeOf: null })
      .where(sql`made_of is not null`)
      .prepare(),
    // What is left of it is the language: the next word of whoever it is sets the menu.
    orm
      .update(preferences)
      .set({ menu: sql`substr(menu, 1, 3)` })
      .prepare(),
  ];
  return {
    /** The last of them is the one of now; one may come again. */
    list(): KnownBot[] {
      const value = find.get()?.value;
      return value ? (JSON.parse(value.toString()) as KnownBot[]) : [];
    },
    save: (bots: readonly KnownBot[]) => void save.run({ value: Buffer.from(JSON.stringify(bots)) }),
    /** Where something stands in the chats of another bot. */
    forgetPlaces: () => void forgetting.forEach((each) => each.run()),
  };
}
