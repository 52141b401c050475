// What the program reads or starts beside its modules: in a checkout it lies among the sources; a release has the same
// folders, and its modules and programs in dist/.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const here = import.meta.filename;
/** Whether this is a release: its modules are built. */
const isBuilt = here.endsWith('.js');

/** Where package.json is. */
const ROOT = findRoot(dirname(here));

/** The path of a file or folder of this package, named from its root. */
export const asset = (path: string): string => join(ROOT, path);

/** A style sheet, after what every page has. */
export const styles = (path: string): string =>
  ['src/assets/base.css', path].map((each) => readFileSync(asset(each), 'utf8')).join('');

/** The path of a program that is started beside this one, by the name of its source. */
export const program = (source: string): string =>
  isBuilt ? join(ROOT, 'dist', basename(source).replace(/\.ts$/, '.js')) : join(ROOT, source);

/** The path of a file of another package. */
export const packaged: (path: string) => string = createRequire(join(ROOT, 'package.json')).resolve;

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}
