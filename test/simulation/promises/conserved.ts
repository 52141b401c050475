// What `cli check` proves: no code, charge or purchase is lost, made up or counted twice, and every sealed value opens.
import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { checkConservation } from '../../../src/store/safekeeping/conservation.ts';
import { look } from '../rest.ts';
import { KEY } from '../service.ts';
import type { World } from '../world.ts';

const secrets = createSecrets(KEY);

export function codesAndChargesAreConserved({ disk }: World): string[] {
  const { rows } = look(disk.databasePath(), (file) => checkConservation(file, { secrets }));
  return rows.map((row) => JSON.stringify(row));
}
