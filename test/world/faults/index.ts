// What may befall the service. To add a fault: a file, and a line here.
import type { Seeded } from '../../harness/seeded.ts';
import type { Suspended } from '../promises/index.ts';
import type { World } from '../run/world.ts';
import { backingUp, disaster, restoring } from './backup.ts';
import { badUpstream } from './bad-upstream.ts';
import { beside } from './beside.ts';
import { boundaries } from './boundaries.ts';
import { cutOffInBulk } from './bulk.ts';
import { busyDay } from './busy.ts';
import { platformElsewhen, wrongCalendar, wrongCalendarInDoubt } from './clock.ts';
import { closedToTheBot } from './closed-to-the-bot.ts';
import { crowdsOfNotices } from './crowds-of-notices.ts';
import { fullDisk } from './disk.ts';
import { redeemedElsewhere } from './elsewhere.ts';
import { hiddenReceipts } from './hidden-receipts.ts';
import { kill } from './kill.ts';
import { mood } from './moods.ts';
import { exchangedPlatform, misplacedFile, movedAway } from './places.ts';
import { powerLoss } from './power.ts';
import { counted } from './counted.ts';
import { deadReceiver } from './dead-receiver.ts';
import { failingBackups } from './failing-backups.ts';
import { killedAtADecision } from './killed-at-a-decision.ts';
import { killedAtAnAction } from './killed-at-an-action.ts';
import { longDoubt } from './long-doubt.ts';
import { lowDisk, platformGone } from './lasting.ts';
import { parting } from './parting.ts';
import { deafReceiver } from './receivers.ts';
import { startsBehind } from './starts-behind.ts';
import { stopsInARow } from './stops-in-a-row.ts';
import { deployment, upgrade } from './stops.ts';
import { strangeToken } from './strange-token.ts';
import { killedAtTheTill } from './till.ts';
import {
  again,
  blocking,
  failingCalls,
  longPause,
  outage,
  paidIntoTheNight,
  refusals,
  slowness,
} from './telegram.ts';
import { exchangedNames } from './names.ts';
import { flood } from './flood.ts';
import { takeover, takeoverWithoutTimes } from './takeover.ts';
import { twoPollers } from './two-pollers.ts';

/**
 * `restore`: a past is lost. `calendar`: of the machine it is wrong. `end`: the process ends in the middle of something.
 * `night`: much time passes in a moment. `disk`: it takes nothing.
 */
export type FaultClass = 'restore' | 'calendar' | 'end' | 'night' | 'disk';

/** What each class suspends. */
export const SUSPENDED: Readonly<Record<FaultClass, readonly Suspended[]>> = {
  restore: ['ofOnePast'],
  calendar: ['byTheCalendar'],
  end: ['atOnce'],
  night: ['atOnce'],
  disk: ['atOnce', 'onDisk'],
};

export interface Fault {
  name: string;
  /** How often, beside the others. */
  weight: number;
  /** Of which class it is, that a world has or has not as a whole; none: it suits any world. */
  of?: FaultClass;
  /**
   * Promises, or groups of them, that it breaks by itself, beside those of its class: a world that has it does not hold
   * them.
   */
  suspends?: readonly Suspended[];
  /**
   * Nothing that began before may start the service meanwhile: by what the calendar says then, the process goes for
   * days.
   */
  isAlone?: boolean;
  /** Begins it, and ends it where it does not end by itself. */
  happen(world: World, random: Seeded): Promise<void>;
}

export const FAULTS: readonly Fault[] = [
  kill,
  powerLoss,
  deployment,
  upgrade,
  mood,
  failingCalls,
  outage,
  longPause,
  refusals,
  paidIntoTheNight,
  killedAtTheTill,
  killedAtAnAction,
  killedAtADecision,
  again,
  slowness,
  blocking,
  closedToTheBot,
  crowdsOfNotices,
  fullDisk,
  backingUp,
  restoring,
  disaster,
  takeover,
  wrongCalendar,
  wrongCalendarInDoubt,
  platformElsewhen,
  busyDay,
  beside,
  boundaries,
  deafReceiver,
  redeemedElsewhere,
  cutOffInBulk,
  longDoubt,
  lowDisk,
  platformGone,
  parting,
  deadReceiver,
  failingBackups,
  stopsInARow,
  counted,
  strangeToken,
  twoPollers,
  exchangedPlatform,
  misplacedFile,
  movedAway,
  badUpstream,
  startsBehind,
  flood,
  exchangedNames,
  hiddenReceipts,
  takeoverWithoutTimes,
];
