// The wires of the stand-ins, as those who speak them do: what a request asks, and how an answer is worded. Five
// shapes: this service's own interface, a number in a 200, a job that is polled, statuses alone, and an envelope.
import { Profile } from '../../../../src/platform/profiles/profile.ts';
import { readShipped } from '../../../harness/profiled.ts';

/** What a stand-in can say of an order. */
export type Said =
  | { word: 'redeemed'; name: string }
  | { word: 'usedByPlayer' | 'used' | 'noAccount' | 'login' | 'risk' | 'refusedUs' | 'underWay' };

/** What a stand-in can say of a code. */
export type CodeSaid =
  | { word: 'used'; playerId: string; at: number }
  | { word: 'unused' }
  | { word: 'underWay' }
  | { word: 'notTold' };

export interface WireOrder {
  code: string;
  playerId: string;
  gameId: string;
}

export type Asked =
  | { what: 'redeem'; order: WireOrder; key?: string | undefined }
  | { what: 'job'; id: string }
  | { what: 'code'; code: string }
  | { what: 'player'; playerId: string }
  | { what: 'ping' };

export interface Wire {
  profile: 'interface' | Profile;
  settlingMs: number;
  hasLookUp: boolean;
  /** Orders are answered by the id of a job. */
  hasJobs: boolean;
  needsDenomination: boolean;
  read(method: string, url: URL, body: Record<string, unknown>, headers: Headers): Asked;
  formatOrder(order: WireOrder, said: Said, job: { id: string; reference: string }): Response;
  formatCode(code: string, said: CodeSaid): Response;
}

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });
const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const iso = (ms: number) => new Date(ms).toISOString();
const PING: Asked = { what: 'ping' };
const openidOf = (playerId: string) => `open-${playerId}`;

const ACTIVATION = { id: 1, createdAt: iso(0), codeReset: false };
const INTERFACE_ERRORS = {
  ...{
    usedByPlayer: 'CODE_USED',
    used: 'CODE_USED',
    noAccount: 'NO_ACCOUNTS_AVAILABLE',
    login: 'LOGIN_FAILED',
  },
  ...{ risk: 'RISK_CONTROL', refusedUs: '', underWay: 'UNKNOWN' },
} as const;

const ownInterface: Wire = {
  ...{ profile: 'interface', settlingMs: 75_000, hasLookUp: true, hasJobs: false, needsDenomination: false },
  read(_method, { pathname, searchParams }, body, headers) {
    const [gameId, playerId] = [text(body.gameId), text(body.playerId)];
    if (pathname === '/redeem') {
      const order = { code: text(body.codeOverride), playerId, gameId };
      return { what: 'redeem', order, key: headers.get('idempotency-key') ?? undefined };
    }
    if (pathname === '/redemption-time') return { what: 'code', code: text(body.code) };
    if (pathname === '/character') return { what: 'player', playerId: searchParams.get('playerId') ?? '' };
    return PING;
  },
  formatOrder(order, said) {
    if (said.word === 'refusedUs') return json(403, { error: 'No.', errorCode: 'SUBSCRIPTION_INACTIVE' });
    if (said.word !== 'redeemed')
      return json(503, {
        type: 'ActivationError',
        ...ACTIVATION,
        ...order,
        errorCode: INTERFACE_ERRORS[said.word],
      });
    const player = { openid: openidOf(order.playerId), name: said.name, uid: `uid-${order.code}` };
    return json(200, { type: 'ActivationReceipt', ...ACTIVATION, ...order, ...player, warning: false });
  },
  formatCode(_code, said) {
    if (said.word === 'unused') return json(404, { error: 'No.', errorCode: 'CODE_NOT_FOUND' });
    if (said.word === 'underWay') return json(503, { error: 'Wait.', errorCode: 'UNKNOWN' });
    if (said.word === 'notTold') return json(503, { error: 'No.', errorCode: 'NETWORK_ERROR' });
    const times = { redemptionTime: iso(said.at), expirationTime: iso(said.at) };
    const { playerId } = said;
    return json(200, {
      ...times,
      channelName: '',
      openid: openidOf(playerId),
      amount: 60,
      name: '',
      playerId,
    });
  },
};

const RESULT_CODES = { redeemed: 0, usedByPlayer: 101, used: 102, noAccount: 105, risk: 106 } as const;

const resultCode: Wire = {
  ...{ profile: readShipped('result-code'), settlingMs: 120_000, hasLookUp: false, hasJobs: false },
  needsDenomination: true,
  read: (_method, { pathname }, body) =>
    pathname === '/api/activate'
      ? {
          what: 'redeem',
          order: { code: text(body.uc_code), playerId: text(body.player_id), gameId: '' },
        }
      : PING,
  formatOrder(_order, said) {
    if (said.word === 'refusedUs') return json(402, { message: 'Balance.' });
    const known = said.word === 'login' ? 'noAccount' : said.word;
    const result_code = known === 'underWay' ? 999 : RESULT_CODES[known];
    const activation_data = { activation_success: true, nickname: said.word === 'redeemed' ? said.name : '' };
    return json(200, { result_code, ...(result_code === 0 && { activation_data }) });
  },
  formatCode: () => json(404, {}),
};

const JOB_ERRORS = {
  ...{ usedByPlayer: 'code_used_by_player', used: 'code_used', noAccount: 'no_account', login: 'no_account' },
  risk: 'risk',
} as const;

const jobPoll: Wire = {
  ...{ profile: readShipped('job-poll'), settlingMs: 300_000, hasLookUp: true, hasJobs: true },
  needsDenomination: false,
  read(_method, { pathname }, body, headers) {
    const [, , noun, id = ''] = pathname.split('/');
    if (noun === 'players') return { what: 'player', playerId: id };
    if (noun === 'codes') return { what: 'code', code: text(body.code) };
    if (noun === 'jobs' && id !== '') return { what: 'job', id };
    if (noun !== 'jobs') return PING;
    const order = { code: text(body.code), playerId: text(body.player_id), gameId: text(body.game) };
    return { what: 'redeem', order, key: headers.get('idempotency-key') ?? undefined };
  },
  formatOrder(order, said, { id: job_id, reference: external_id }) {
    if (said.word === 'refusedUs') return json(429, { error: 'quota' });
    const about = { job_id, external_id };
    if (said.word === 'underWay') return json(200, { ...about, status: 'running' });
    if (said.word !== 'redeemed')
      return json(200, { ...about, status: 'failed', error: JOB_ERRORS[said.word] });
    const player = { name: said.name, openid: openidOf(order.playerId) };
    return json(200, { ...about, status: 'done', player, amount: 60, product: '60' });
  },
  formatCode(code, said) {
    if (said.word === 'notTold') return json(500, {});
    if (said.word === 'unused') return json(200, { code, status: 'unused' });
    if (said.word === 'underWay') return json(200, { code, status: 'running' });
    const { playerId: player_id } = said;
    return json(200, { code, status: 'used', player_id, openid: openidOf(player_id), used_at: iso(said.at) });
  },
};

const REASONS = { noAccount: 'no_account', login: 'login', risk: 'risk' } as const;

const statusAlone: Wire = {
  ...{ settlingMs: 60_000, hasLookUp: true, hasJobs: false, needsDenomination: false },
  profile: Profile.parse({
    auth: { header: 'X-Token', value: '{token}' },
    settlingMs: 60_000,
    redeem: {
      request: { method: 'POST', path: '/activations', body: { code: '{code}', player: '{playerId}' } },
      answers: [
        {
          http: [201],
          where: { '/code': ['{code}'], '/player': ['{playerId}'] },
          means: 'redeemed',
          receipt: { name: '/name' },
        },
        { http: [409], where: { '/by': ['{playerId}'] }, means: 'usedByPlayer' },
        { http: [409], means: 'CODE_USED' },
        { http: [503], where: { '/reason': ['no_account'] }, means: 'NO_ACCOUNTS_AVAILABLE' },
        { http: [503], where: { '/reason': ['login'] }, means: 'LOGIN_FAILED' },
        { http: [503], where: { '/reason': ['risk'] }, means: 'RISK_CONTROL' },
        { http: [401, 402, 403, 429], means: 'refusedUs' },
      ],
    },
    lookup: {
      request: { method: 'GET', path: '/codes/{code}' },
      answers: [
        {
          http: [200],
          where: { '/code': ['{code}'], '/state': ['used'] },
          means: 'usedBy',
          tells: { playerId: '/player', time: { at: '/at', as: 'seconds' } },
        },
        { http: [200], where: { '/code': ['{code}'], '/state': ['free'] }, means: 'unused' },
      ],
    },
  }),
  read(_method, { pathname }, body) {
    const [, noun, id = ''] = pathname.split('/');
    if (noun === 'codes') return { what: 'code', code: id };
    if (noun !== 'activations') return PING;
    return { what: 'redeem', order: { code: text(body.code), playerId: text(body.player), gameId: '' } };
  },
  formatOrder({ code, playerId }, said) {
    switch (said.word) {
      case 'redeemed':
        return json(201, { code, player: playerId, name: said.name });
      case 'usedByPlayer':
        return json(409, { by: playerId });
      case 'used':
        return json(409, {});
      case 'refusedUs':
        return json(401, {});
      case 'underWay':
        return json(202, {});
      default:
        return json(503, { reason: REASONS[said.word] });
    }
  },
  formatCode(code, said) {
    if (said.word === 'used')
      return json(200, { code, state: 'used', player: said.playerId, at: Math.floor(said.at / 1000) });
    return said.word === 'unused' ? json(200, { code, state: 'free' }) : json(503, {});
  },
};

const envelopeErrors = ['noAccount', 'login', 'risk', 'used', 'usedByPlayer'] as const;
const ENVELOPE_MEANS = {
  ...{ noAccount: 'NO_ACCOUNTS_AVAILABLE', login: 'LOGIN_FAILED', risk: 'RISK_CONTROL', used: 'CODE_USED' },
  usedByPlayer: 'usedByPlayer',
} as const;

const envelope: Wire = {
  ...{ settlingMs: 90_000, hasLookUp: false, hasJobs: false, needsDenomination: false },
  profile: Profile.parse({
    auth: { header: 'X-Token', value: '{token}' },
    settlingMs: 90_000,
    redeem: {
      request: { method: 'POST', path: '/rpc', body: { do: 'topup', pin: '{code}', to: '{playerId}' } },
      answers: [
        {
          http: [200],
          where: { '/ok': true, '/result/to': ['{playerId}'] },
          means: 'redeemed',
          receipt: { name: '/result/name' },
        },
        ...envelopeErrors.map((code) => ({
          http: [200],
          where: { '/ok': false, '/error/code': [code] },
          means: ENVELOPE_MEANS[code],
        })),
        { http: [200], where: { '/ok': false, '/error/code': ['balance'] }, means: 'refusedUs' },
      ],
    },
  }),
  read: (_method, { pathname }, body) =>
    pathname === '/rpc'
      ? { what: 'redeem', order: { code: text(body.pin), playerId: text(body.to), gameId: '' } }
      : PING,
  formatOrder({ playerId }, said) {
    if (said.word === 'redeemed') return json(200, { ok: true, result: { to: playerId, name: said.name } });
    const code = said.word === 'refusedUs' ? 'balance' : said.word;
    return json(200, { ok: false, error: { code } });
  },
  formatCode: () => json(404, {}),
};

export const WIRES = { ownInterface, resultCode, jobPoll, statusAlone, envelope } as const;
export type WireName = keyof typeof WIRES;
export const WIRE_NAMES = Object.keys(WIRES) as WireName[];
