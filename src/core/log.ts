// What the core needs of a log; the application hands one in.

export type { Logger as CoreLog } from '../log.ts';
