// The game whose codes are pasted in tests of reading.
import type { Game } from '../../src/core/games.ts';

export const pasteGame = (denominations: number[]): Game => ({
  id: 'game_id_1',
  currency: 'UC',
  database: true,
  denominations,
  codePattern: /^[A-Za-z0-9]{12,32}$/,
  receipts: 'account',
});
