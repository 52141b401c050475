// `upstream`: the upstreams of the settings, and whether one answers as its profile says. No order is sent, and no token or code printed.
import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import type { Platform } from '../platform/port.ts';
import { connectUpstream } from '../platforms.ts';
import { readUpstreams, type UpstreamSettings } from '../upstreams.ts';
import { ASKED_WITHIN_MS } from './bot-name.ts';
import { printLine, readSettings, Refusal, warn } from './command.ts';
import { readGames } from './mint.ts';

const upstreamList = new Command('list')
  .description('lists the upstreams of the settings, one a line: its profile, and what a doubt is settled by')
  .action(async () => {
    for (const upstream of loadUpstreams()) {
      const { name, profileName, url, tier, witness, cost, currency, games } = upstream;
      const price = cost === undefined ? null : `${cost} ${currency}`;
      const known = { games: games ? Object.keys(games) : null, provesBy: listProofs(upstream) };
      await printLine({ name, profile: profileName, url, tier, witness, cost: price, ...known });
    }
  });

const upstreamTest = new Command('test')
  .description(
    'asks an upstream whether it is there, which costs nothing; with --code and --game also what became of that code, which may cost a look-up there',
  )
  .requiredOption('--name <name>', 'of the upstream, as `upstream list` tells it')
  .option('--code <code>', 'a code to be looked up; nothing is redeemed')
  .option('--game <id>', 'of the catalogue, beside --code')
  .action(async ({ name, code, game }: { name: string; code?: string; game?: string }) => {
    const upstreams = loadUpstreams();
    const upstream = upstreams.find((each) => each.name === name);
    if (!upstream)
      throw new Refusal(
        `There is no upstream ${name}. There are: ${upstreams.map((each) => each.name).join(', ')}.`,
      );
    if ((code === undefined) !== (game === undefined))
      throw new Refusal('Say --code and --game, or neither.');
    const platform = connectUpstream(upstream, systemClock);
    try {
      await ping(platform, name);
      if (code !== undefined && game !== undefined) await lookUp(platform, upstream, { code, gameId: game });
    } finally {
      platform.close();
    }
  });

function loadUpstreams(): UpstreamSettings[] {
  const { platform, gamesFile } = readSettings();
  if (platform.kind === 'sandbox') throw new Refusal('PLATFORM is sandbox: there is no upstream.');
  return readUpstreams(
    platform,
    readGames(gamesFile).all.map(({ id }) => id),
  );
}

/** Beside its own answer and a person. */
function listProofs({ profile }: UpstreamSettings): string[] {
  if (profile === 'interface') return ['look-up'];
  const proofs = [...(profile.job ? ['record'] : []), ...(profile.lookup ? ['look-up'] : [])];
  return proofs.length > 0 ? proofs : ['person'];
}

async function ping(platform: Platform, upstream: string): Promise<void> {
  const isThere = await platform.isReachable({ signal: AbortSignal.timeout(ASKED_WITHIN_MS) });
  await printLine({ upstream, asked: 'ping', answer: isThere ? 'there' : 'no answer', costs: 'nothing' });
  if (!isThere) process.exitCode = 1;
}

async function lookUp(
  platform: Platform,
  { name, profile }: UpstreamSettings,
  query: { code: string; gameId: string },
): Promise<void> {
  if (profile !== 'interface' && !profile.lookup)
    throw new Refusal(`The profile of ${name} has no look-up of codes: nothing was asked.`);
  const told = await platform.findCode(query, { signal: AbortSignal.timeout(ASKED_WITHIN_MS) });
  const costs = 'what the upstream takes for a look-up';
  await printLine({ upstream: name, asked: 'look-up', answer: told.status, costs });
  if (told.status !== 'unreachable') return;
  warn(told.message);
  process.exitCode = 1;
}

export const upstreamCommands = new Command('upstream')
  .description('the upstreams that codes are redeemed at')
  .addCommand(upstreamList)
  .addCommand(upstreamTest);
