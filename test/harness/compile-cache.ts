// Where programs that tests start find themselves compiled: to strip and compile the service is half of what a short
// one costs.
import { fileURLToPath } from 'node:url';

/** Among the environment of a child process. Absolute: the child runs in a folder of its own. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
};
