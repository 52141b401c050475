// `upstream`: the upstreams of the settings, whether one answers as its profile says, pausing one beside the running
// service, and what was answered that decided nothing. No order is sent, and no token or code printed.
import { createInterface } from 'node:readline/promises';

import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import type { Platform } from '../platform/port.ts';
import { createUpstreamPauses, type PauseAnswer } from '../core/upstreams/pauses.ts';
import { listProofs } from '../core/upstreams/proofs.ts';
import { connectUpstream, identifyPlatforms, nameSandboxes } from '../platforms.ts';
import { readUpstreams, type UpstreamSettings } from '../upstreams.ts';
import { ASKED_WITHIN_MS } from './bot-name.ts';
import { printLine, readSettings, Refusal, warn, withDatabase } from './command.ts';
import { readGames } from './mint.ts';
import { formatOptionalTime, HOST } from './verbs.ts';

const upstreamList = new Command('list')
  .description('lists the upstreams of the settings, one a line: its profile, and what a doubt is settled by')
  .action(async () => {
    const { platform } = readSettings();
    const all =
      platform.kind === 'sandbox' ? listSandboxes(platform.upstreams) : loadUpstreams().map(toListed);
    for (const one of all) await printLine(one);
  });

/** What a line of the list tells of each. */
function toListed(upstream: UpstreamSettings): Record<string, unknown> {
  const { name, profileName: profile, url, tier, witness, cost, currency, games } = upstream;
  return {
    ...{ name, profile, url, tier, witness },
    cost: cost === undefined ? null : `${cost} ${currency}`,
    games: games ? Object.keys(games) : null,
    provesBy: listProofs(connectUpstream(upstream, systemClock)),
  };
}

/** The same of those that nobody runs. */
function listSandboxes(count: number): Record<string, unknown>[] {
  const nothing = { url: null, cost: null, games: null };
  return nameSandboxes(Array.from({ length: count }, () => ({}))).map(
    ({ name, profile, tier, witness, platform }) => ({
      ...{ name, profile, tier, witness, ...nothing },
      provesBy: listProofs(platform),
    }),
  );
}

const upstreamTest = new Command('test')
  .description(
    'asks an upstream whether it is there, which costs nothing; with --code and --game also what became of a code, which may cost a look-up there',
  )
  .requiredOption('--name <name>', 'of the upstream, as `upstream list` tells it')
  .option(
    '--code [none]',
    'a code is looked up, which is asked for or read from standard input; nothing is redeemed',
  )
  .option('--game <id>', 'of the catalogue, beside --code')
  .action(async ({ name, code, game }: { name: string; code?: true | string; game?: string }) => {
    const upstreams = loadUpstreams();
    const upstream = upstreams.find((each) => each.name === name);
    if (!upstream)
      throw new Refusal(
        `There is no upstream ${name}. There are: ${upstreams.map((each) => each.name).join(', ')}.`,
      );
    if ((code === undefined) !== (game === undefined))
      throw new Refusal('Say --code and --game, or neither.');
    if (typeof code === 'string')
      throw new Refusal('Say --code alone: all users of this machine can read what is typed behind it.');
    const platform = connectUpstream(upstream, systemClock);
    try {
      await ping(platform, name);
      if (game !== undefined) await lookUp(platform, upstream, game);
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

async function ping(platform: Platform, upstream: string): Promise<void> {
  const isThere = await platform.isReachable({ signal: AbortSignal.timeout(ASKED_WITHIN_MS) });
  await printLine({ upstream, asked: 'ping', answer: isThere ? 'there' : 'no answer', costs: 'nothing' });
  if (!isThere) process.exitCode = 1;
}

async function lookUp(
  platform: Platform,
  { name, profile }: UpstreamSettings,
  gameId: string,
): Promise<void> {
  if (profile !== 'interface' && !profile.lookup)
    throw new Refusal(`The profile of ${name} has no look-up of codes: nothing was asked.`);
  const told = await platform.findCode(
    { code: await readCode(), gameId },
    { signal: AbortSignal.timeout(ASKED_WITHIN_MS) },
  );
  const costs = 'what the upstream takes for a look-up';
  await printLine({ upstream: name, asked: 'look-up', answer: told.status, costs });
  if (told.status !== 'unreachable') return;
  warn(told.message);
  if (told.text) warn(`What it answered: ${told.text}`);
  process.exitCode = 1;
}

async function readCode(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Code: ');
  const lines = createInterface({ input: process.stdin });
  try {
    for await (const line of lines) if (line.trim()) return line.trim();
  } finally {
    // A terminal would be waited for until it is closed.
    lines.close();
  }
  throw new Refusal('There was no code on standard input: nothing was asked.');
}

const nameOption = ['--name <name>', 'of the upstream, as `upstream list` tells it'] as const;

const upstreamPause = new Command('pause')
  .description(
    'sends nothing more to an upstream until it is resumed; about what it was sent it is still asked',
  )
  .requiredOption(...nameOption)
  .option('--reason <reason>', 'shown to the other service administrators')
  .action(({ name, reason }: Change) =>
    change(name, (pauses) => pauses.pause(HOST, name, reason ?? 'By a service administrator.')),
  );

const upstreamResume = new Command('resume')
  .description('sends orders to an upstream again')
  .requiredOption(...nameOption)
  .option('--reason <reason>', 'kept in the log of what was done')
  .action(({ name, reason }: Change) => change(name, (pauses) => pauses.resume(HOST, name, reason)));

interface Change {
  name: string;
  reason?: string;
}

async function change(
  name: string,
  work: (pauses: ReturnType<typeof createUpstreamPauses>) => Promise<PauseAnswer>,
): Promise<void> {
  const names = [...identifyPlatforms(readSettings().platform).upstreams.keys()];
  const all = names.map((each) => ({ name: each }));
  const upstreams = { all };
  await withDatabase(async (store) => {
    const { status } = await work(createUpstreamPauses({ store, clock: systemClock, upstreams }));
    if (status === 'unknown')
      throw new Refusal(`There is no upstream ${name}. There are: ${names.join(', ')}.`);
    await printLine({ upstream: name, is: status });
  });
}

const ANSWERS_SHOWN = 100;

const upstreamAnswers = new Command('answers')
  .description(
    'the newest answers that decided nothing, without codes, keys and logins: what a rule of the profile may be missing for',
  )
  .action(() =>
    withDatabase(async (store) => {
      for (const { upstream, redemptionId, httpStatus, endedAt, text } of store.read((tables) =>
        tables.attemptFigures.listUnclear(ANSWERS_SHOWN),
      ))
        await printLine({
          ...{ upstream, redemption: redemptionId, http: httpStatus },
          ...{ at: formatOptionalTime(endedAt ?? undefined), answer: text },
        });
    }),
  );

export const upstreamCommands = new Command('upstream')
  .description('the upstreams that codes are redeemed at')
  .addCommand(upstreamList)
  .addCommand(upstreamTest)
  .addCommand(upstreamPause)
  .addCommand(upstreamResume)
  .addCommand(upstreamAnswers);
