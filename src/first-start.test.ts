// What a first start finds beside the database that it is to make.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { assertFirstStart } from './first-start.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'first-start-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const check = (backups: string) =>
  assertFirstStart({
    databasePath: join(folder, 'redemption.db'),
    backups: { folder: join(folder, backups), everyMs: 1, keep: 1 },
  });

test('a folder of backups that is none is told in a sentence; one that is yet to be made is no trouble', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => check('file')).toThrow(/BACKUP_FOLDER: .*file is a file; name a folder/);
  expect(() => check('yet-to-be-made')).not.toThrow();
});
