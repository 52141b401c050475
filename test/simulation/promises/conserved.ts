// What `cli check` proves: no code, charge or purchase is lost, made up or counted twice, and every sealed value opens.
import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { checkConservation } from '../../../src/store/safekeeping/conservation.ts';
import { look } from '../rest.ts';
import { KEY } from '../service.ts';
import type { World } from '../world.ts';

/** Opening every sealed value takes longer than everything else of an evening. */
const OPENED_EVERY = 5;
const secrets = createSecrets(KEY);

export function codesAndChargesAreConserved({ disk, day }: World): string[] {
  const { rows } = look(disk.databasePath(), (file) =>
    checkConservation(file, day % OPENED_EVERY === 0 ? { secrets } : {}),
  );
  return rows.map((row) => JSON.stringify(row));
}
