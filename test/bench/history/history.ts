// Files with history, kept between runs in the temporary folder under a name that holds the schema's digest: making the
// large one takes minutes. What is measured on is a copy, one for the whole run.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock, type Clock } from '../../../src/clock.ts';
import { scaled, type BenchOptions } from '../figures.ts';
import { copySettled, makeFolder } from '../folders.ts';
import { makeHistory, type About, type HistorySize } from './making.ts';

export interface History extends About {
  /** Holds redemption.db and encryption.key. */
  folder: string;
  path: string;
}

const KEPT = join(tmpdir(), 'redemption-bench-history');
const ROOT = new URL('../../../', import.meta.url);
/** What a file depends on, beside the migrations. */
const SOURCES = [
  'src/store/engine/secrets.ts',
  'test/bench/history/template.ts',
  'test/bench/history/cloning.ts',
];
const UNUSED_MS = 24 * 60 * 60 * 1000;
export const SMALL: HistorySize = { accounts: 1, blocks: 1 };

const opened = new Map<'large' | 'oneShop' | 'small', Promise<History>>();

/** The large file of this form of the bench, to be written to by every measurement of this run. */
export function openHistory(options: BenchOptions): Promise<History> {
  const large = { accounts: 1_000, blocks: 333 };
  const size = scaled(options, {
    tiny: SMALL,
    quick: large,
    normal: large,
    full: { accounts: 10_000, blocks: 3_333 },
  });
  return open('large', size, options.tell);
}

/** The same kind of file with about 3,000 redemptions, which the figures of the large one are held against. */
export function openSmallHistory({ tell }: BenchOptions): Promise<History> {
  return open('small', SMALL, tell);
}

/** A million receipts of one account, for what a person of it looks at. */
export function openShopHistory(options: BenchOptions): Promise<History> {
  const oneShop = { accounts: 1, blocks: 1_333 };
  return open('oneShop', scaled(options, { tiny: SMALL, quick: oneShop, normal: oneShop }), options.tell);
}

/** The file may have been made yesterday: for what is measured its last day is today. */
export function clockSince({ madeAt }: History): Clock {
  const behindMs = Date.now() - madeAt;
  return { now: () => systemClock.now() - behindMs, elapsed: () => systemClock.elapsed() };
}

function open(
  which: 'large' | 'oneShop' | 'small',
  size: HistorySize,
  tell: (line: string) => void,
): Promise<History> {
  const found = opened.get(which) ?? copy(size, tell);
  opened.set(which, found);
  return found;
}

async function copy(size: HistorySize, tell: (line: string) => void): Promise<History> {
  const kept = await keep(size, tell);
  const { folder } = makeFolder();
  for (const name of ['redemption.db', 'encryption.key']) copySettled(join(kept, name), join(folder, name));
  const about = JSON.parse(readFileSync(join(kept, 'about.json'), 'utf8')) as About;
  return { ...about, folder, path: join(folder, 'redemption.db') };
}

/** Where the file is kept; made if it is not there. */
async function keep(size: HistorySize, tell: (line: string) => void): Promise<string> {
  const kept = join(KEPT, `${size.accounts}-${size.blocks}-${digest()}`);
  if (existsSync(kept)) {
    utimesSync(kept, new Date(), new Date());
    return kept;
  }
  mkdirSync(KEPT, { recursive: true });
  removeUnused();
  const making = mkdtempSync(join(KEPT, 'making-'));
  const startedAt = performance.now();
  const about = await makeHistory(join(making, 'redemption.db'), size, tell);
  writeFileSync(join(making, 'about.json'), JSON.stringify(about));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  tell(`history: ${about.redemptions} redemptions, ${about.codes} codes in stock, made in ${seconds} s`);
  // Another run may have made it meanwhile.
  if (existsSync(kept)) rmSync(making, { recursive: true });
  else renameSync(making, kept);
  return kept;
}

function digest(): string {
  const hash = createHash('sha256');
  const migrations = readdirSync(new URL('drizzle/', ROOT)).filter((name) => name.endsWith('.sql'));
  for (const name of migrations.sort()) hash.update(readFileSync(new URL(`drizzle/${name}`, ROOT)));
  for (const source of SOURCES) {
    const file = new URL(source, ROOT);
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 12);
}

/** Files of earlier schemas that nobody asked for within a day, and what was given up in the making. */
function removeUnused(): void {
  for (const name of readdirSync(KEPT)) {
    const folder = join(KEPT, name);
    if (Date.now() - statSync(folder).mtimeMs > UNUSED_MS) rmSync(folder, { recursive: true, force: true });
  }
}
