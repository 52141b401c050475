// Redeeming in the chat, word for word: every card and question on the way, its buttons, and what is said where it
// ends.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';

import { SHOP_DOINGS } from '../../../test/world/play/chat-doings.ts';
import { testChats, withGames } from '../../../test/world/play/chat-file.ts';
import type { Stage } from '../../../test/world/play/stage.ts';
import type { Platform } from '../../platform/port.ts';

/** As one that knows no names. */
const withoutNames = (platform: Platform): Platform => ({
  ...platform,
  findCharacter: () => Promise.resolve({ status: 'notOffered' }),
});

testChats(import.meta.dirname, [
  ['step-by-step'],
  ['refused'],
  ['plain'],
  ['amounts'],
  ['several'],
  ['orders'],
  ['rest-once'],
  ['players'],
  ['taps'],
  ['taken-back'],
  ['repeats'],
  ['in-doubt', { platformTimeoutMs: 300 }],
  ['stopped'],
  ['stopped-each'],
  ['rest'],
  ['rights'],
  ['restarts'],
  ['unnamed', { through: withoutNames }],
  ['looking-up'],
  ['asked'],
  ['codes'],
  ['costs'],
  ['fates'],
  ['half-known'],
  ['waits'],
  ['short'],
  ['given'],
  ['never-subscribed', { days: 0 }],
  ['one-game', withGames('no-database')],
  ['two-games', withGames('two-games')],
]);

const folder = mkdtempSync(join(tmpdir(), 'games-'));
const gamesFile = join(folder, 'games.json');
const catalogue = readFileSync(withGames('two-games').gamesFile ?? '', 'utf8');
beforeEach(() => writeFileSync(gamesFile, catalogue));
afterAll(() => rmSync(folder, { recursive: true }));

testChats(import.meta.dirname, [['gone-game', { gamesFile }]], {
  ...SHOP_DOINGS,
  /** `* without game_id_2`: a restart with a catalogue that has all but this game. */
  without: (t: Stage, gone: string) =>
    t.restart(() => {
      const games = JSON.parse(catalogue) as { id: string }[];
      writeFileSync(gamesFile, JSON.stringify(games.filter(({ id }) => id !== gone)));
    }),
});
