// `mint`: fresh codes that the sandbox redeems.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { Command } from 'commander';

import { createGames, type Game } from '../core/games.ts';
import { mintCodes } from '../platform/sandbox/codes.ts';
import { print, readSettings, Refusal, toWhole } from './command.ts';

const LARGEST_MINT = 1_000_000;
const LINES_PER_WRITE = 1000;

export const mintCommand = new Command('mint')
  .description('prints fresh codes that the sandbox redeems, bare, one a line')
  .requiredOption('--game <id>', 'of the catalogue')
  .requiredOption('--denomination <n>', 'what each is worth', toWhole)
  .requiredOption('--count <n>', 'how many', toWhole)
  .action(async (asked: { game: string; denomination: number; count: number }) => {
    const { denomination, count } = asked;
    const config = readSettings();
    if (count < 1 || count > LARGEST_MINT) throw new Refusal(`--count must be from 1 to ${LARGEST_MINT}.`);
    if (config.platform.kind !== 'sandbox')
      throw new Refusal('Only the sandbox redeems minted codes, and PLATFORM is not sandbox.');
    const game = findGame(config.gamesFile, asked.game);
    if (game.denominations.length > 0 && !game.denominations.includes(denomination)) {
      throw new Refusal(`${game.id} has these denominations: ${game.denominations.join(', ')}.`);
    }
    const codes = mintSandboxCodes(count, denomination);
    if (!codes.every((code) => game.codePattern.test(code))) {
      throw new Refusal(
        `The codes of the sandbox do not have the form that ${config.gamesFile} demands of ${game.id}.`,
      );
    }
    for (let start = 0; start < codes.length; start += LINES_PER_WRITE) {
      await print(`${codes.slice(start, start + LINES_PER_WRITE).join('\n')}\n`);
    }
  });

function mintSandboxCodes(count: number, denomination: number): string[] {
  try {
    return mintCodes({ count, denomination, randomBytes });
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(error.message);
    throw error;
  }
}

function findGame(gamesFile: string, id: string): Game {
  const games = readGames(gamesFile);
  const game = games.find(id);
  if (game) return game;
  throw new Refusal(
    `There is no game ${id} in ${gamesFile}, which has ${games.all.map((known) => known.id).join(', ')}.`,
  );
}

/** Throws a Refusal that says what is wrong with it. */
export function readGames(gamesFile: string) {
  try {
    return createGames(JSON.parse(readFileSync(gamesFile, 'utf8')));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`The games file ${gamesFile} cannot be used: ${reason}`);
  }
}
