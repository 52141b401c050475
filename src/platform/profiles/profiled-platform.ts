// The interpreter: an upstream that is asked by its profile. The first rule that fits says what an answer means
// (meanings.ts); what no rule knows, what was cut and what never came is unknown.
import type { Clock } from '../../clock.ts';
import type { Send } from '../../outgoing.ts';
import { pause } from '../../waiting.ts';
import {
  createUpstreamCall,
  listenForTheTime,
  type UpstreamAnswer,
  type UpstreamCall,
  type UpstreamRequest,
} from '../call.ts';
import type { CallOptions, PlatformOrder, Platform, RedeemOutcome } from '../port.ts';
import { present } from '../present.ts';
import {
  readCharacterAnswer,
  readCodeAnswer,
  readFields,
  readOrderAnswer,
  type Answerer,
  type Heard,
} from './meanings.ts';
import type { Profile, WireRule } from './profile.ts';
import { fillJson, fillText, fits, textAt, Unfillable, type PlaceholderValues } from './templates.ts';

export interface ProfiledOptions extends Answerer {
  profile: Profile;
  url: string;
  clock: Clock;
  send?: Send | undefined;
}

/** Shortest pause between two looks at one doubt. */
const LOOK_PAUSE_MS = 10_000;

type Request = Profile['redeem']['request'];
type Job = NonNullable<Profile['job']>;

/** Its methods never throw; throws at once, quoting nothing, where address or token are unusable. */
export function createProfiledPlatform(options: ProfiledOptions): Platform {
  const { profile, url, token, clock, send } = options;
  const { redeem, job, lookup, character, ping } = profile;
  const auth = profile.auth ? { [profile.auth.header]: fillText(profile.auth.value, { token }) } : {};
  const { call, findNow } = listenForTheTime(createUpstreamCall({ url, token, headers: auth, send }), clock);

  const ask = createAsk(call, token);

  /**
   * A look at the record of an order. What no rule knows is no word of it, least of all where the look itself could not
   * be sent: the order was.
   */
  async function readRecord(
    { request, answers }: Job,
    order: PlatformOrder,
    jobId: string,
    call: CallOptions,
  ): Promise<RedeemOutcome> {
    const { answer, means, told } = await ask({ request, answers }, { ...order, jobId }, call);
    const heard = answer.kind === 'notSent' ? { ...answer, kind: 'lost' as const } : answer;
    const outcome = readOrderAnswer({ answer: heard, means, told }, order, options, jobId);
    return means === undefined && outcome.status === 'unknown' ? { ...outcome, underWay: true } : outcome;
  }

  return {
    name: 'upstream',
    settlingMs: profile.settlingMs,
    lookPauseMs: LOOK_PAUSE_MS,
    hasNoOrderList: true,
    ...(!lookup && { hasNoLookUp: true }),
    ...(!character && { hasNoNames: true }),
    ...(!JSON.stringify(redeem.request).includes('{reference') && { hasNoReferences: true }),
    needs: redeem.needs,
    async redeem(order, call) {
      const heard = await ask(redeem, order, call);
      const jobId = job && heard.answer.kind === 'answered' ? textAt(heard.answer.json, job.idAt) : undefined;
      let outcome = readOrderAnswer(heard, order, options, jobId);
      const isOpen = () => outcome.status === 'unknown' && outcome.underWay === true;
      if (jobId !== undefined && isOpen() && (await call.saveJobId?.(jobId)) === false)
        return readOrderAnswer(heard, order, options);
      while (job && jobId !== undefined && isOpen()) {
        await pause(job.everyMs, call.signal);
        if (call.signal.aborted) break;
        outcome = await readRecord(job, order, jobId, call);
      }
      return outcome;
    },
    ...(job && { findRecord: (order, theirId, call) => readRecord(job, order, theirId, call) }),
    findOrder: () =>
      Promise.resolve({ status: 'unreachable', message: 'The upstream service has no order list.' }),
    findCharacter: async (player, call) =>
      character
        ? readCharacterAnswer(await ask(character, player, call), player.playerId, options)
        : { status: 'notOffered' },
    findCode: async ({ gameId, code }, call) =>
      lookup
        ? readCodeAnswer(await ask(lookup, { gameId, code }, call), code, options)
        : { status: 'unreachable', message: 'The upstream service has no look-up of codes.' },
    findNow,
    async isReachable({ signal }) {
      const request = ping?.request ?? ({ method: 'GET', path: '/' } as const);
      const answer = await call(fillRequest(request, { token }), { signal });
      return answer.kind === 'answered' && (!ping || (answer.httpStatus >= 200 && answer.httpStatus < 300));
    },
    // Every connection is closed after its one exchange.
    close: () => undefined,
  };
}

/** Sends a request about something, and finds the rule that knows its answer. */
function createAsk(call: UpstreamCall, token: string) {
  return async function ask<M extends string>(
    {
      request,
      answers,
      needs = [],
    }: { request: Request; answers: WireRule<M>[]; needs?: 'denomination'[] | undefined },
    about: { gameId: string; jobId?: string } & Partial<PlatformOrder>,
    { signal }: CallOptions,
  ): Promise<Heard<M>> {
    try {
      const { code, playerId, reference, gameId, jobId } = about;
      const denomination = about.denomination?.toString();
      const values = { token, ...present({ code, playerId, reference, gameId, jobId, denomination }) };
      for (const need of needs) fillText(`{${need}}`, values);
      const answer = await call(fillRequest(request, values), { signal });
      const rule = findRule(answers, answer, values);
      const told = answer.kind === 'answered' ? readFields(answer.json, rule?.receipt ?? rule?.tells) : {};
      return { answer, means: rule?.means, told };
    } catch (error) {
      if (!(error instanceof Unfillable)) throw error;
      const { message: reason } = error;
      return { answer: { kind: 'notSent', reason }, means: undefined, told: {}, unfit: reason };
    }
  };
}

function fillRequest(
  { method, path, headers = {}, body, form = {} }: Request,
  values: PlaceholderValues,
): UpstreamRequest {
  const fill = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fillText(text, values)]));
  const isForm = Object.keys(form).length > 0;
  return {
    method,
    path: fillText(path, values, encodeURIComponent),
    headers: fill(headers),
    ...(isForm && { form: fill(form) }),
    ...present({ body: body === undefined ? undefined : fillJson(body, values) }),
  };
}

/** undefined for what was not sent or came cut: half of an answer may be half of any. */
function findRule<M extends string>(
  rules: readonly WireRule<M>[],
  answer: UpstreamAnswer,
  values: PlaceholderValues,
): WireRule<M> | undefined {
  if (answer.kind === 'notSent' || (answer.kind === 'answered' && !answer.whole)) return undefined;
  const [status, json] = answer.kind === 'answered' ? [answer.httpStatus, answer.json] : ['timeout' as const];
  return rules.find(({ http, where }) => http.includes(status) && fits(where, json, values));
}
