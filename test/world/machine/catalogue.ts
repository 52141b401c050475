// The catalogue of games as the world has it at first: the one that is shipped.
import { readFileSync } from 'node:fs';

/** What the world looks at of a game. */
export interface CatalogueGame {
  id: string;
  database: boolean;
  name: { en: string; [language: string]: string };
}

/** Whether codes of a denomination can be of one game only. */
export const managesOne = (games: readonly CatalogueGame[]): boolean =>
  games.filter(({ database }) => database).length === 1;

export function loadCatalogue(): readonly CatalogueGame[] {
  const file = new URL('../../../data/games.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as CatalogueGame[];
}
