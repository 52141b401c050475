// The one gate of every call of the bot: known method, flood limits, the method itself, and the log of it all.
import { systemClock, type Clock } from '../../src/clock.ts';
import { createFlood, FAQ_LIMITS, STRICT_LIMITS, type FloodLimits } from './flood.ts';
import { loggedPayload, type Method } from './messages.ts';
import type { Params } from './params.ts';
import { ApiRefusal } from './types.ts';
import type { World } from './world.ts';

/** One call of a method by the bot, as logged; long polls are not. */
export interface Call {
  method: string;
  payload: Record<string, unknown>;
  at: number;
  result?: unknown;
  error?: { code: number; description: string };
}

export interface FloodOptions {
  /**
   * `strict` unless it says otherwise: twenty a minute in every chat. `faq`: what the FAQ says. Figures of one's own
   * count beside the strict ones; `none` is for a test that is not about them. Every other rule always holds.
   */
  flood?: Partial<FloodLimits> | 'strict' | 'faq' | 'none';
  /** What flood limits are measured by: real time, since bots wait in real time. */
  floodClock?: Pick<Clock, 'elapsed'>;
}

export interface Calls {
  /** Runs a method. Throws its refusal; a 404 that names the method when there is none such. */
  call(method: string, params: Params, signal: AbortSignal): Promise<unknown>;
  log: Call[];
}

/** Methods behind the gate; their names are read in any case, as Telegram does. */
export function createCalls(world: World, methods: Record<string, Method>, options: FloodOptions): Calls {
  const log: Call[] = [];
  const table = new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]));
  const { flood: asked = 'strict', floodClock = systemClock } = options;
  const limits = asked === 'faq' ? FAQ_LIMITS : { ...STRICT_LIMITS, ...(typeof asked === 'object' && asked) };
  const flood = asked === 'none' ? undefined : createFlood(limits, floodClock.elapsed);

  async function call(name: string, params: Params, signal: AbortSignal): Promise<unknown> {
    const method = table.get(name.toLowerCase());
    const entry: Call = { method: name, payload: loggedPayload(params), at: world.clock.now() };
    const isPoll = name.toLowerCase() === 'getupdates';
    if (!isPoll) log.push(entry);
    try {
      if (!method) throw new ApiRefusal(404, `Not Found: method ${name} is not known to this stand-in`);
      flood?.(name, params);
      entry.result = await method(params, signal);
      return entry.result;
    } catch (error) {
      if (error instanceof ApiRefusal) entry.error = { code: error.code, description: error.message };
      throw error;
    } finally {
      if (!isPoll) world.emit({ kind: 'call', detail: entry });
    }
  }

  return { call, log };
}
