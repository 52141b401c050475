// The disk of the machine that was lost turns up: its past testifies over the database that has gone on. Then nothing
// can be taken any more that it had closed.
import Database from 'better-sqlite3';

import { runCliHere } from '../../harness/run-here.ts';
import type { Life } from './life.ts';
import { serveIn, type TakenOver } from './machine.ts';

const STILL_OPEN = `
  select count(*) from past.codes p join codes c on c.code_hash = p.code_hash
  where p.state in ('redeemed', 'used', 'invalid', 'extracted', 'undone')
    and c.owned is not null and c.state in ('available', 'unverified', 'in_question', 'reserved')`;

/** While the service is stopped; it goes on after. */
export async function testify(life: Life, { machine, otherPast }: TakenOver): Promise<void> {
  await machine.service.kill('SIGINT');
  const { exitCode, lines, stderr } = await runCliHere(machine.folder, 'testify', otherPast);
  // It died before it held anything that the replica lacks.
  const isKnown = stderr.includes('of the own past');
  if (exitCode !== 0 && !isKnown) life.violations.push(`testify ended with ${exitCode}: ${stderr}`);
  const file = new Database(`${machine.folder}/redemption.db`);
  file.prepare('attach database ? as past').run(otherPast);
  const open = file.prepare(STILL_OPEN).pluck().get() as number;
  file.close();
  if (open > 0) life.violations.push(`${open} codes can be taken that the other past had closed`);
  for (const what of ['extracted', 'recovered', 'completed'])
    life.tried[`testified: ${what}`] =
      (life.tried[`testified: ${what}`] ?? 0) + Number(lines[0]?.[what] ?? 0);
  life.machine = await serveIn(life.root, machine.folder);
}
