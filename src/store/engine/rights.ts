// Whether this user may read and write all that a database consists of. It is looked at before anything is opened:
// SQLite opens what may only be read for reading alone, makes its log with the same rights, and locks nobody out.
import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { StoreRefusal } from './refusal.ts';

const { R_OK, W_OK, X_OK } = constants;
/** As chmod has it. */
const MASKS = { r: R_OK, rw: R_OK | W_OK, rwx: R_OK | W_OK | X_OK, wx: W_OK | X_OK, x: X_OK };
type Wrong = { path: string; needs: keyof typeof MASKS; code: string | undefined };

/** Of a database: its log, its lock, and what is known of it. */
const BESIDE: readonly string[] = ['', '-wal', '-shm', '-journal', '.lock', '.state'];

/** Where a database really lies: SQLite follows links, and beside the file are its log and its lock. */
export const realPathOf = (databasePath: string): string =>
  existsSync(databasePath) && lstatSync(databasePath).isSymbolicLink()
    ? realpathSync(databasePath)
    : databasePath;

/**
 * Throws StoreRefusal with every file that this user may not use and what to type; changes nothing, and passes for what
 * is not there yet. `isRead`: nothing is to be written, and it may lie on a disk that may only be read.
 */
export function assertRights(databasePath: string, { isRead = false } = {}): void {
  const real = resolve(realPathOf(databasePath));
  const folder = dirname(resolve(databasePath));
  const wrong = [
    ...[...new Set([folder, dirname(real)])].map((each) => findClosed(each, 'rwx')),
    ...BESIDE.map((suffix) => find(real + suffix, 'rw')),
    find(join(folder, 'encryption.key'), 'r'),
  ].flatMap((each) => (!each || (isRead && each.code === 'EROFS') ? [] : each));
  if (wrong.length > 0) throw new StoreRefusal(formatWrong(wrong, folder));
}

function find(path: string, needs: Wrong['needs']): Wrong | undefined {
  try {
    if (existsSync(path)) accessSync(path, MASKS[needs]);
    return undefined;
  } catch (error) {
    return { path, needs, code: (error as NodeJS.ErrnoException).code };
  }
}

/** A folder that is not there yet is made, and one that cannot be seen lies in one that is closed. */
function findClosed(folder: string, needs: Wrong['needs']): Wrong | undefined {
  try {
    return statSync(folder).isDirectory() ? find(folder, needs) : { path: folder, needs, code: 'ENOTDIR' };
  } catch (error) {
    return findClosed(dirname(folder), (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'wx' : 'x');
  }
}

function formatWrong(wrong: readonly Wrong[], folder: string): string {
  const files = wrong.map(({ path, code }) => {
    const { uid, mode } = statSync(path);
    return `${path} (${code}, user ${uid}, mode ${(mode & 0o777).toString(8)})`;
  });
  const denied = (...needs: Wrong['needs'][]) =>
    wrong.flatMap(({ path, ...its }) => (its.code === 'EACCES' && needs.includes(its.needs) ? path : []));
  const [user, own] = [nameUser(), denied('r', 'rw', 'rwx').join(' ')];
  const commands = [
    ...denied('x').map((path) => `chmod a+x ${path}`),
    ...denied('wx').map(() => `install -d -o ${user} ${folder}`),
    ...(own === '' ? [] : [`chown ${user} ${own}`, `chmod u+rwX ${own}`]),
    ...(wrong.some(({ code }) => code === 'EROFS')
      ? [`mount -o remount,rw $(findmnt -no TARGET -T ${folder})`]
      : []),
  ];
  const advice = commands.length > 0 ? ` As root: \`${commands.join(' && ')}\`.` : '';
  return `${user}, who runs this, may not use what the database needs: ${files.join(', ')}. Nothing was opened or changed.${advice}`;
}

/** In a container it may have none. */
function nameUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'USER';
  }
}
