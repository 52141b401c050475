// Loaded into the real service by `node --import`: watches its statements and answers from outside, kills the process
// at a named point, or lets its disk fail. The sources of the service know nothing of it.
import { writeSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { basename } from 'node:path';
import Database from 'better-sqlite3';

import './unmetered.ts';

const aroundCommits = <const Action extends string>(actions: readonly Action[]) =>
  actions.flatMap((action) => [`${action}:before-commit`, `${action}:after-commit`] as const);

/** Where a redemption can be struck. `commit` points are those of the transaction that holds such an action. */
export const KILL_POINTS = [
  ...aroundCommits(['begin']),
  ...(['platform:before', 'platform:after'] as const),
  ...aroundCommits(['settle']),
  ...(['answer:before', 'answer:after'] as const),
  ...aroundCommits(['doubt', 'reconcile']),
];

/** Where an attempt that no beginning holds can be struck: sent on to another upstream, or sent once more. */
export const ATTEMPT_KILL_POINTS = aroundCommits(['sent-on']);

export type KillPoint = (typeof KILL_POINTS)[number] | (typeof ATTEMPT_KILL_POINTS)[number];

/** What the parent may ask. */
export interface FaultCommand {
  kill?: { at: KillPoint; nth: number };
  /** True: the disk fails at every step of the store but rollbacks, until it is false. */
  fails?: boolean;
}

/** Named in the environment, for a process that is to die before it can be talked to. */
export const KILL_AT = 'TORTURE_KILL_AT';

type Connection = InstanceType<typeof Database>;
type Step = (...params: unknown[]) => unknown;
type ActionOf<Point> = Point extends `${infer Action}:${string}-commit` ? Action : never;
type Label = ActionOf<KillPoint> | 'announced';

// Importing it elsewhere, for the names above, does nothing.
if (process.env[KILL_AT] !== undefined) install(process.env[KILL_AT]);

function install(initial: string): void {
  const state = {
    kill: initial === '' ? undefined : { at: initial as KillPoint, nth: 1 },
    fails: false,
  };
  const labels = new Set<Label>();

  function reach(point: KillPoint): void {
    if (state.kill?.at !== point) return;
    state.kill.nth -= 1;
    if (state.kill.nth > 0) return;
    writeSync(2, `killed at ${point}\n`);
    process.kill(process.pid, 'SIGKILL');
  }

  function stepOfStore(sql: string, params: unknown[], run: () => unknown): unknown {
    if (sql.startsWith('BEGIN')) labels.clear();
    if (state.fails && !sql.startsWith('ROLLBACK'))
      throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE');
    if (sql !== 'COMMIT') {
      const label = labelOf(sql, params);
      if (label) labels.add(label);
      return run();
    }
    const actions = actionsOf(labels);
    for (const action of actions) reach(`${action}:before-commit`);
    const result = run();
    for (const action of actions) reach(`${action}:after-commit`);
    return result;
  }

  function stepOfPlatform(sql: string, run: () => unknown): unknown {
    const spends = /insert into redemptions/.test(sql);
    if (spends) reach('platform:before');
    const result = run();
    if (spends) reach('platform:after');
    return result;
  }

  watchStatements((connection, sql, params, run) => {
    if (connection.readonly || connection.name.endsWith('.lock')) return run();
    if (basename(connection.name) === 'sandbox.db') return stepOfPlatform(sql, run);
    return stepOfStore(sql, params, run);
  });
  watchAnswers(reach);
  obey((command) => {
    if (command.kill) state.kill = { ...command.kill };
    state.fails = command.fails ?? state.fails;
  });
}

/** The end of a doubt is announced, and no other end of a redemption; what begins is sent, not sent on. */
function actionsOf(labels: ReadonlySet<Label>): ActionOf<KillPoint>[] {
  const end = labels.has('announced') ? 'reconcile' : 'settle';
  return [...labels].flatMap((label) => {
    if (label === 'announced' || (label === 'sent-on' && labels.has('begin'))) return [];
    return label === 'settle' ? end : label;
  });
}

/** What a statement of the store does in the life of a redemption. */
function labelOf(text: string, params: unknown[]): Label | undefined {
  const sql = text.trimStart();
  if (sql.startsWith('insert into redemptions')) return params.includes('pending') ? 'begin' : undefined;
  if (sql.startsWith('insert into tasks')) return params.includes('announce') ? 'announced' : undefined;
  if (sql.startsWith('insert into attempts')) return 'sent-on';
  if (!sql.startsWith('update redemptions')) return undefined;
  if (sql.includes("set state = 'in_doubt'")) return 'doubt';
  return sql.includes('settled_at = ') ? 'settle' : undefined;
}

function watchStatements(
  watch: (connection: Connection, sql: string, params: unknown[], run: () => unknown) => unknown,
): void {
  const { prototype } = Database as unknown as {
    prototype: { prepare(this: Connection, sql: string): object };
  };
  const prepare = prototype.prepare;
  prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql) as Record<string, Step>;
    for (const method of ['run', 'get', 'all']) {
      const original = statement[method];
      statement[method] = (...params) => watch(this, sql, params, () => original?.apply(statement, params));
    }
    return statement;
  };
}

function watchAnswers(reach: (point: KillPoint) => void): void {
  const response = ServerResponse.prototype as unknown as { end: Step; writeHead: Step };
  const isRedeem = (answer: unknown) => (answer as ServerResponse).req.url === '/redeem';
  const { end, writeHead } = response;
  response.writeHead = function (...params) {
    if (isRedeem(this)) reach('answer:before');
    return writeHead.apply(this, params);
  };
  response.end = function (...params) {
    if (isRedeem(this)) (this as unknown as ServerResponse).once('finish', () => reach('answer:after'));
    return end.apply(this, params);
  };
}

/** Listens to the parent without keeping the process alive, and never outlives it. */
function obey(apply: (command: FaultCommand) => void): void {
  process.on('message', (message: FaultCommand & { id: number }) => {
    apply(message);
    process.send?.({ id: message.id });
  });
  process.on('disconnect', () => process.exit(1));
  process.channel?.unref();
}
