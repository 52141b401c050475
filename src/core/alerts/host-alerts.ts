// Host alerts: the host is told of each trouble of the table (host-conditions.ts) once when it begins and once when it
// is over. What is told and not over is kept in the database with its notice, so that a restart neither repeats nor
// forgets it.
import type { Store, Tables } from '../../store/index.ts';
import type { Logger } from '../../log.ts';
import { writeNotice } from '../notices/notices.ts';
import {
  HOST_CONDITIONS,
  type HostAlert,
  type HostAlertName,
  type HostCondition,
  type AlertReading,
} from './host-conditions.ts';
import { gatherKnown, type AlertDetails, type KnownDeps, type KnownToHost } from './known-to-host.ts';

export interface HostAlerts {
  /** Reads every condition that is due, and tells what has changed. What cannot be written is told by a later call. */
  check(): Promise<void>;
  /** What is told, or is about to be, and is not over. */
  list(): HostAlert[];
  /** Those that began in this process and cannot wait in the database: their beginning is to be said past it. */
  listDirect(): HostAlert[];
}

type HostAlertsDeps = KnownDeps & { log: Logger };

/** A change that has lasted long enough, and is not written yet. */
interface Due {
  /** Since when it is, where it is: not what was waited to be sure of it. */
  overSince: number | undefined;
  alert: HostAlert;
}

type Table = Readonly<Record<HostAlertName, HostCondition>>;
const NAMES = Object.keys(HOST_CONDITIONS) as HostAlertName[];
const TABLE: Table = HOST_CONDITIONS;
const UNWRITABLE = 'database-unwritable';

export function createHostAlerts(deps: HostAlertsDeps, gather = gatherKnown): HostAlerts {
  const { store, clock, log } = deps;
  const kept = readKept(store);
  // After a restore what another machine was told is of no concern.
  let isRestoreTold = store.lost === undefined || kept.restore === store.lost.until;
  const lasting = new Map(isRestoreTold ? kept.alerts.map((alert) => [keyOf(alert), alert]) : []);
  if (deps.unwritableSince !== undefined && !lasting.has(UNWRITABLE))
    lasting.set(UNWRITABLE, { name: UNWRITABLE, since: deps.unwritableSince, facts: {} });
  const due = new Map<string, Due>();
  const begunHere = new Set<string>();
  /** Since when a condition is other than what was told. */
  const changing = new Map<string, HostAlert & { elapsed: number }>();
  const known = gather(deps, () => isRestoreTold);
  const read = createReading(deps, known, (name) =>
    [...lasting.values(), ...changing.values()].filter((alert) => alert.name === name),
  );

  function consider({ reading, ...what }: Read): void {
    const key = keyOf(what);
    if (reading === undefined || due.has(key)) return;
    const alert = lasting.get(key);
    if ((alert !== undefined) === (reading !== false)) return void changing.delete(key);
    const change = changing.get(key) ?? {
      ...{ ...what, since: clock.now(), elapsed: clock.elapsed() },
      facts: reading === false ? {} : reading,
    };
    changing.set(key, change);
    const { begunAfterMs, overAfterMs } = TABLE[what.name];
    if (clock.elapsed() - change.elapsed < (alert ? overAfterMs : begunAfterMs)) return;
    changing.delete(key);
    const { since, facts } = change;
    due.set(key, { overSince: alert && since, alert: alert ?? { ...what, since, facts } });
    if (!alert) begunHere.add(key);
    if (!alert && key === UNWRITABLE) deps.markUnwritable?.(since);
  }

  async function notify(): Promise<void> {
    if (due.size === 0 || !store.isInPlace()) return;
    const changes = [...due.values()];
    const next = new Map(lasting);
    for (const change of changes) note(next, change);
    const now = clock.now();
    await store.write((tables) => {
      tables.hostAlerts.save({ alerts: [...next.values()], restore: store.lost?.until } satisfies Kept);
      for (const change of changes) writeAlert(tables, change, now);
    });
    isRestoreTold = true;
    deps.markUnwritable?.(undefined);
    for (const { overSince, alert } of changes) {
      due.delete(keyOf(alert));
      note(lasting, { overSince, alert });
      if (overSince !== undefined)
        log.info({ alert: keyOf(alert) }, 'a trouble that hosts are told of is over');
      else log.warn({ alert: keyOf(alert), ...alert.facts }, 'a trouble that hosts are told of has begun');
    }
  }

  const listBegun = () =>
    [...due.values()].filter(({ overSince }) => overSince === undefined).map(({ alert }) => alert);
  const list = () => [...lasting.values(), ...listBegun()];
  return {
    async check() {
      for (const each of (await Promise.all(NAMES.map(read))).flat()) consider(each);
      await notify();
    },
    list,
    listDirect: () => list().filter((alert) => begunHere.has(keyOf(alert)) && isToldDirectly(alert)),
  };
}

const isToldDirectly = ({ name }: HostAlert) => TABLE[name].begunIsTold === 'directly';

const keyOf = ({ name, of }: Pick<HostAlert, 'name' | 'of'>) => (of === undefined ? name : `${name} ${of}`);

function note(lasting: Map<string, HostAlert>, { overSince, alert }: Due): void {
  if (overSince !== undefined) lasting.delete(keyOf(alert));
  else lasting.set(keyOf(alert), alert);
}

type Read = Pick<HostAlert, 'name' | 'of'> & { reading: AlertReading };

/** Reads a condition where it is due. `listKnown`: alerts of it that were told, or soon are. */
function createReading(
  { clock, log }: HostAlertsDeps,
  known: KnownToHost,
  listKnown: (name: HostAlertName) => HostAlert[],
) {
  const readAt = new Map<HostAlertName, number>();
  return async (name: HostAlertName): Promise<Read[]> => {
    const condition = TABLE[name];
    if (clock.elapsed() - (readAt.get(name) ?? -Infinity) < (condition.everyMs ?? 0)) return [];
    readAt.set(name, clock.elapsed());
    try {
      if ('read' in condition) return [{ name, reading: await condition.read(known) }];
      const before = listKnown(name);
      const each = condition.readEach(known, before);
      const all = new Set([...before.flatMap(({ of }) => of ?? []), ...Object.keys(each)]);
      return [...all].map((of) => ({ name, of, reading: each[of] ?? false }));
    } catch (error) {
      log.warn({ err: error, alert: name }, 'whether hosts are to be told of this cannot be read');
      return [];
    }
  };
}

interface Kept {
  alerts: HostAlert[];
  /** When the restore was made that was told. */
  restore?: number | undefined;
}

/** A version that knows others wrote them, perhaps. */
function readKept(store: Pick<Store, 'read'>): Kept {
  const { alerts, restore } = store.read(({ hostAlerts }) => hostAlerts.find() as Kept | undefined) ?? {
    alerts: [],
  };
  return { alerts: alerts.filter(({ name }) => Object.hasOwn(HOST_CONDITIONS, name)), restore };
}

function writeAlert(tables: Tables, { overSince, alert }: Due, now: number): void {
  const { begunIsTold } = TABLE[alert.name];
  if (overSince !== undefined || begunIsTold === undefined)
    writeNotice(tables, { kind: 'hostAlert', accountId: null, alert, endedAt: overSince ?? null }, now);
  if (alert.name === 'restored' && overSince === undefined) notifyOwners(tables, alert.facts, now);
}

const ACCOUNTS_AT_ONCE = 500;

/** From when to when nobody knows what was done in their accounts. */
function notifyOwners(tables: Tables, { knownAt, restoredAt }: AlertDetails, now: number): void {
  const lost = { knownAt: Number(knownAt), restoredAt: Number(restoredAt) };
  for (let after = 0; ;) {
    const accounts = tables.accounts.list(after, ACCOUNTS_AT_ONCE);
    for (const { id } of accounts) {
      const inQuestion = tables.takeover.countInQuestion(id);
      writeNotice(tables, { kind: 'timeLost', accountId: id, ...lost, inQuestion }, now);
    }
    after = accounts.at(-1)?.id ?? after;
    if (accounts.length < ACCOUNTS_AT_ONCE) return;
  }
}
