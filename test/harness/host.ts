// What the host does beside a service, in this process: to start a program costs more than all that it does. Whoever
// tests the commands themselves starts them (test/torture/process.ts).
import { join } from 'node:path';

import { loadSecrets, withStore } from '../../src/cli/command.ts';
import { HOST, openVerbs } from '../../src/cli/verbs.ts';
import { checkRunning } from '../../src/store/backup/check.ts';

const placeOf = (folder: string) => ({
  databasePath: join(folder, 'redemption.db'),
  encryptionKey: undefined,
});

/** As `account create` does it, by default with more activations than any test uses. */
export function createAccount(
  folder: string,
  { name = 'Shop', days = 30, purchased = 1_000_000 } = {},
): Promise<{ accountId: number; apiKey: string }> {
  return withStore(placeOf(folder), (store) =>
    openVerbs(store).accounts.create(HOST, { name, days, purchased }),
  );
}

/** Makes somebody the owner, and a link into the console for them, as `console link` does. */
export function linkOwner(folder: string, accountId: number, telegramId: number): Promise<string> {
  return withStore(placeOf(folder), async (store) => {
    const owner = { telegramId, accountId, role: 'owner', name: 'Owner', username: null, now: 0 } as const;
    await store.write(({ members }) => members.insert(owner));
    return openVerbs(store).consoleAccess.link(HOST, telegramId);
  });
}

/** As `account grant` does it. */
export async function grantDays(folder: string, accountId: number, days: number): Promise<void> {
  await withStore(placeOf(folder), (store) => openVerbs(store).accounts.grant(HOST, { accountId, days }));
}

/** As `check` does it: the drift, with the rows that show it. */
export function checkBooks(folder: string): ReturnType<typeof checkRunning> {
  const place = placeOf(folder);
  return checkRunning(place.databasePath, loadSecrets(place));
}
