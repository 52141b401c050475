// What is hard to make happen by hand: a timeout, a platform that is down, a kill, a day that passes, an update that
// comes twice. Each says in words what was done, and what came of it.
import { systemClock, DAY_MS } from '../clock.ts';
import { pause } from '../waiting.ts';
import type { BotApi } from './telegram/telegram.ts';
import type { DatabaseView } from './database-view.ts';
import type { PlayActionAnswer, EventView, Said } from './protocol.ts';
import type { ServiceProcess } from './service-process.ts';
import { both, nounDays, nounRedemptions } from './numbers.ts';

export interface PlaygroundFaults {
  letNextTimeOut(): PlayActionAnswer;
  setPlatform(up: boolean): PlayActionAnswer;
  /** One of the upstreams; `number` from 1. */
  setUpstream(number: number, up: boolean): PlayActionAnswer;
  /** Answers when it serves again. */
  killAndStart(): Promise<PlayActionAnswer>;
  jumpDay(): PlayActionAnswer;
  redeliver(): Promise<PlayActionAnswer>;
  clockAheadMs(): number;
}

export interface PlaygroundFaultsDeps {
  api: BotApi;
  service: ServiceProcess;
  database: DatabaseView;
  countPending: () => number;
  clockAheadMs: number;
  addEvent: (event: Omit<EventView, 'at'>) => void;
  /** Keeps how far the clock is ahead, for the next start. */
  saveClockAhead: (aheadMs: number) => void;
}

/** Long enough to be seen, and to be written to in vain. */
const DEAD_FOR_MS = 1_500;
const HANDLED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** The levers. They stand beside the service and know it from outside only. */
export function createPlaygroundFaults(deps: PlaygroundFaultsDeps): PlaygroundFaults {
  const { service, addEvent } = deps;
  let { clockAheadMs } = deps;
  let killing = false;

  return {
    clockAheadMs: () => clockAheadMs,
    letNextTimeOut() {
      if (service.fault() === 'down') return { ok: false, error: 'The platform is down. Bring it up first.' };
      service.steer('nextTimesOut');
      const text = both(
        'The next redemption will be carried out, but its answer will be lost',
        'Следующая активация состоится, но ответ о ней потеряется',
      );
      addEvent({ kind: 'platform', text });
      return { ok: true };
    },
    setPlatform(up) {
      if (up === (service.fault() !== 'down')) return { ok: true };
      service.steer(up ? 'none' : 'down');
      const text = up
        ? both(
            'The platform is up: doubts can be settled again',
            'Платформа доступна: неясное снова можно выяснять',
          )
        : both(
            'The platform is down: no redemption can begin there, no doubt be settled',
            'Платформа недоступна: ни начать активацию, ни выяснить неясное нельзя',
          );
      addEvent({ kind: 'platform', text });
      return { ok: true };
    },
    setUpstream: (number, up) => setUpstream(deps, number, up),
    async killAndStart() {
      if (killing || service.state() !== 'running')
        return { ok: false, error: 'The service is not running.' };
      killing = true;
      try {
        await killAndStart(deps);
        return { ok: true };
      } finally {
        killing = false;
      }
    },
    jumpDay() {
      clockAheadMs += DAY_MS;
      service.setClockAhead(clockAheadMs);
      deps.saveClockAhead(clockAheadMs);
      const ahead = nounDays(Math.round(clockAheadMs / DAY_MS));
      const text = both(
        `The clock jumped: it is ${ahead.en} ahead. The daily quota of yesterday is back`,
        `Часы переведены: вперёд на ${ahead.ru}. Вчерашняя квота вернулась`,
      );
      addEvent({ kind: 'clock', text });
      return { ok: true };
    },
    redeliver: () => redeliver(deps),
  };
}

function setUpstream(
  { service, addEvent }: PlaygroundFaultsDeps,
  number: number,
  up: boolean,
): PlayActionAnswer {
  const isUp = service.upstreams()[number - 1];
  if (isUp === undefined) return { ok: false, error: 'There is no such upstream.' };
  if (up === isUp) return { ok: true };
  service.setUpstream(number, up);
  addEvent({ kind: 'platform', text: formatUpstream(number, up) });
  return { ok: true };
}

function formatUpstream(number: number, up: boolean): Said {
  const name = `sandbox-${number}`;
  return up
    ? both(`${name} is up again: it is sent orders`, `${name} снова доступен: активации идут и туда`)
    : both(
        `${name} is down: an order that was certainly not sent there goes to the next one`,
        `${name} недоступен: что туда точно не ушло, отправляется следующему`,
      );
}

async function killAndStart({ service, countPending, addEvent }: PlaygroundFaultsDeps): Promise<void> {
  await service.kill();
  const pending = countPending();
  const open = describeOpen(pending);
  const killed = both(
    `Killed (SIGKILL), ${open.en}. What people write now waits at Telegram`,
    `Убит (SIGKILL), ${open.ru}. Что пишут сейчас, ждёт в Telegram`,
  );
  addEvent({ kind: 'process', text: killed });
  await pause(DEAD_FOR_MS);
  await service.start();
  const started =
    pending === 0
      ? both(
          'Started again: nothing was under way, nothing is lost',
          'Снова запущен: ничего не шло, ничего не потеряно',
        )
      : both(`Started again: ${open.en}, being settled`, `Снова запущен: ${open.ru}, выясняется`);
  addEvent({ kind: 'process', text: started });
}

function describeOpen(pending: number): Said {
  if (pending === 0) return both('no redemption under way', 'ни одной активации не шло');
  const count = nounRedemptions(pending);
  return both(`${count.en} left open`, `не окончено: ${count.ru}`);
}

/** Delivers the last update again, and looks in the database whether anything was done with it. */
async function redeliver({ api, database, addEvent }: PlaygroundFaultsDeps): Promise<PlayActionAnswer> {
  const last = api.updates().at(-1);
  if (!last) return { ok: false, error: 'Nobody has written to the bot yet.' };
  const id = last.update_id;
  const before = database.update(id);
  api.redeliver(id);
  if (before?.state !== 'done') {
    const text = both(
      `Update ${id} delivered a second time while it is still being handled`,
      `Обновление ${id} доставлено второй раз, пока первое ещё в работе`,
    );
    addEvent({ kind: 'update', text });
    return { ok: true };
  }
  const until = systemClock.elapsed() + HANDLED_WITHIN_MS;
  while (api.unconfirmed().some((update) => update.update_id === id) && systemClock.elapsed() < until) {
    await pause(LOOK_EVERY_MS);
  }
  const after = database.update(id);
  const again = after?.attempts !== before.attempts || after.state !== 'done';
  const outcome = again
    ? both('it was handled again', 'оно обработано ещё раз')
    : both(
        'it is in the inbox as done already, nothing is done twice',
        'оно уже отмечено сделанным, дважды ничего не делается',
      );
  const text = both(
    `Update ${id} delivered again: ${outcome.en}`,
    `Обновление ${id} доставлено ещё раз: ${outcome.ru}`,
  );
  addEvent({ kind: 'update', text });
  return { ok: true };
}
