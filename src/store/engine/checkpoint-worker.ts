// The thread that copies the log into the database, so that the event loop does not stand still for it. It loads hardly
// more than SQLite; it ends with the first pass that fails, and the service copies by itself again (checkpoints.ts).
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const EVERY_MS = 50;

const { path } = workerData as { path: string };
const connection = new Database(path, { timeout: 0 });
connection.pragma('synchronous = FULL');

/** How many pages the log had when that was last told. */
let told = -1;

function pass(): void {
  const [{ log }] = connection.pragma('wal_checkpoint(PASSIVE)') as [{ log: number }];
  if (log !== told) parentPort?.postMessage((told = log));
}

pass();
const timer = setInterval(pass, EVERY_MS);
// It is told one thing: that it is to end.
parentPort?.once('message', () => {
  clearInterval(timer);
  connection.close();
});
