// The catalogue of games as the world has it at first: the one that is shipped.
import { readFileSync } from 'node:fs';

export function loadCatalogue(): readonly object[] {
  return JSON.parse(readFileSync(new URL('../../data/games.json', import.meta.url), 'utf8')) as object[];
}
