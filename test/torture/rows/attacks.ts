// Hostile requests, each made from a seed alone, so that one that did harm can be made again.
import { createSeeded, type Seeded } from '../../harness/seeded.ts';

export interface Attack {
  name: string;
  /** Sent one after another, with a pause after each but the last. */
  pieces: (string | Uint8Array)[];
  pauseMs: number;
  /** How the attacker leaves: after the answer, before it, or only when the service ends the connection. */
  leaves: 'answered' | 'at once' | 'never';
  /** It can be read as a whole request, so silence is a fault, too. */
  whole: boolean;
}

/** Whose key it uses; strangers have none that is valid. */
export interface Hostile {
  apiKey: string;
  /** The path of the webhook. */
  webhook: string;
  /** What there is, and a little that is not. */
  posts: readonly string[];
  gets: readonly string[];
}

const LARGE_BYTES = 10 * 1024 * 1024;
const DEEP = 5_000_000;
const CHUNK_BYTES = 64 * 1024;

type Make = (seeded: Seeded, hostile: Hostile) => Omit<Attack, 'name'>;

type Pieces = Attack['pieces'];

const whole = (...pieces: Pieces): ReturnType<Make> => ({
  ...{ pieces, pauseMs: 0, leaves: 'answered', whole: true },
});
const part = (...pieces: Pieces): ReturnType<Make> => ({ ...whole(...pieces), whole: false });

function head(seeded: Seeded, hostile: Hostile, line: string, more: readonly string[] = []): string {
  const key = seeded.chance(0.85) ? hostile.apiKey : `crs_${seeded.text(40)}`;
  const lines = [`${line} HTTP/1.1`, 'Host: h', `Authorization: Bearer ${key}`, ...more];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const JSON_TYPE = 'Content-Type: application/json';

function withBody(seeded: Seeded, hostile: Hostile, line: string, body: string | Uint8Array): Pieces {
  const send = (more: string) => head(seeded, hostile, line, [JSON_TYPE, more]);
  if (seeded.chance(0.5)) return [send(`Content-Length: ${Buffer.byteLength(body)}`), body];
  const bytes = Buffer.from(body);
  const chunks: Pieces = [send('Transfer-Encoding: chunked')];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    chunks.push(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
  }
  return [...chunks, '0\r\n\r\n'];
}

const ODD_VALUES: readonly unknown[] = [
  ...[null, true, -1, 0, 60, '60', 1e308, 2 ** 53, 0.1, '', ' ', 'game_id_1', '5170925570'],
  ...['\u0000\u001b[31m', '\ud800', '\u202e'.repeat(300), "'; drop table codes; --", 'x'.repeat(100_000)],
  ...['https://127.0.0.1/', 'https://[::ffff:7f00:1]:1/\u0000', ['redemption.settled'], [], [[]], {}],
  { toString: 1, constructor: { prototype: null } },
  [null, 1, 'x', {}],
  Array.from({ length: 20_000 }, (_, at) => `60S${at}`),
];
const FIELDS = [
  ...['playerId', 'gameId', 'denomination', 'codeOverride', 'codes', 'code', 'amount', 'url', 'events'],
  ...['__proto__', 'id', 'onShortage', 'reference'],
];

function oddJson(seeded: Seeded): string {
  const one = () => {
    const fields = Array.from({ length: seeded.below(6) }, () => [
      seeded.pick(FIELDS),
      seeded.pick(ODD_VALUES),
    ]);
    return Object.fromEntries(fields) as object;
  };
  const body = seeded.chance(0.6) ? one() : seeded.chance(0.5) ? [one(), one()] : seeded.pick(ODD_VALUES);
  return JSON.stringify(body);
}

const ODD_HEADERS = [
  'Content-Type: text/plain',
  'Content-Encoding: gzip',
  'Expect: 100-continue',
  'Expect: nonsense',
  'Connection: Upgrade\r\nUpgrade: h2c',
  'Idempotency-Key: ' + 'k'.repeat(5_000),
  'Idempotency-Key: \u00e9\u00ff',
  'Accept: ' + '*/*,'.repeat(500),
  'Cookie: ' + 'a=b; '.repeat(900),
  'Range: bytes=0-0,1-1,2-2',
  'If-None-Match: *',
  'X-Forwarded-For: ' + '1.1.1.1, '.repeat(300),
  'X-Request-Id: <script>',
  'Origin: null',
];

const BROKEN: readonly string[] = [
  '\x00\x01\x02\xffgarbage\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: h\r\n\r\n',
  'GET\r\n\r\n',
  'GET /healthz HTTP/1.1\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nHost: a b/?#\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n',
  'GET http://[/healthz HTTP/1.1\r\nHost: h\r\n\r\n',
  'CONNECT example:443 HTTP/1.1\r\nHost: example:443\r\n\r\n',
  'POST /redeem HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
  'POST /redeem HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /redeem HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n',
  'POST /redeem HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n',
  'POST /redeem HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
  'POST /redeem HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'POST /redeem HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n',
  `GET / HTTP/1.1\r\nHost: h\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`,
  `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: h\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: h\r\n${'A: b\r\n'.repeat(3_000)}\r\n`,
];

const PATHS = [
  '/../../etc/passwd',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/history/%00',
  '/history/-1',
  '/history/99999999999999999999',
  '/history/1e3',
  '/history/%E0%A4%A',
  '/history/' + '9'.repeat(9_000),
  '//h/healthz',
  '/healthz?%&=&&__proto__[x]=1&a=%zz',
  '/character?gameId=game_id_1&gameId=game_id_2&playerId[]=1',
  '/character?playerId=' + '1'.repeat(9_000),
  '/history?limit=-1&offset=1e9&from=never&to=%00',
  '/redemption-time?code=%F0%9F%98%80',
  '/metrics',
  '/constructor',
  '/__proto__',
];

const METHODS = ['TRACE', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'OPTIONS', 'HEAD', 'M-SEARCH', 'POST', 'GET'];

const REDEEM = JSON.stringify({ playerId: '5170925570', gameId: 'game_id_1', denomination: 60 });

const GOOD = [JSON_TYPE, `Content-Length: ${REDEEM.length}`];
const goodOrder = (seeded: Seeded, hostile: Hostile) => head(seeded, hostile, 'POST /redeem', GOOD) + REDEEM;

type Change = (before: Buffer, after: Buffer, seeded: Seeded) => Uint8Array[];

const CHANGES: Record<string, Change> = {
  byte: (before, after, seeded) => [before, Buffer.of(seeded.below(256)), after.subarray(1)],
  lost: (before, after, seeded) => [before, after.subarray(1 + seeded.below(8))],
  doubled: (before, after) => [before, after.subarray(0, 40), after],
  inserted: (before, after, seeded) => {
    const odd = seeded.pick(['\r\n', '\0', '\xff\xfe', ' ', ':', '{']);
    return [before, Buffer.from(odd, 'latin1'), after];
  },
  cut: (before) => [before],
};

/** Bytes of a good request with a few of them changed, lost, doubled or cut off. */
const mutated: Make = (seeded, hostile) => {
  const good = seeded.chance(0.5)
    ? head(seeded, hostile, `GET ${seeded.pick([...hostile.gets, ...PATHS])}`)
    : head(seeded, hostile, `POST ${seeded.pick(hostile.posts)}`, GOOD) + REDEEM;
  let bytes = Buffer.from(good, 'latin1');
  for (let times = 1 + seeded.below(6); times > 0; times -= 1) {
    const at = seeded.below(bytes.length);
    const change = seeded.weigh({ byte: 4, lost: 2, doubled: 2, inserted: 2, cut: 1 });
    bytes = Buffer.concat(CHANGES[change]!(bytes.subarray(0, at), bytes.subarray(at), seeded));
    if (bytes.length === 0) bytes = Buffer.from('\r\n');
  }
  return { ...part(bytes), leaves: seeded.chance(0.7) ? 'answered' : 'at once' };
};

const MAKERS = {
  large: (seeded, hostile) => {
    const line = `POST ${seeded.pick([...hostile.posts, hostile.webhook])}`;
    return whole(...withBody(seeded, hostile, line, Buffer.alloc(LARGE_BYTES, 0x20)));
  },
  deep: (seeded, hostile) => {
    const open = seeded.pick(['[', '{"a":', '[{"a":']);
    const levels = seeded.pick([65, 1_000, 150_000, Math.floor(DEEP / open.length)]);
    const body = open.repeat(levels) + (seeded.chance(0.5) ? '1' + ']'.repeat(levels) : '');
    const line = `POST ${seeded.pick([...hostile.posts, hostile.webhook])}`;
    return whole(...withBody(seeded, hostile, line, body));
  },
  types: (seeded, hostile) =>
    whole(...withBody(seeded, hostile, `POST ${seeded.pick(hostile.posts)}`, oddJson(seeded))),
  headers: (seeded, hostile) => {
    const odd = [seeded.pick(ODD_HEADERS), seeded.pick(ODD_HEADERS)];
    return whole(head(seeded, hostile, `GET ${seeded.pick(hostile.gets)}`, odd));
  },
  bodyHeaders: (seeded, hostile) => {
    const more = [seeded.pick(ODD_HEADERS), `Content-Length: ${REDEEM.length}`];
    return whole(head(seeded, hostile, `POST ${seeded.pick(hostile.posts)}`, more) + REDEEM);
  },
  paths: (seeded, hostile) => {
    const method = seeded.pick(METHODS);
    const request = head(seeded, hostile, `${method} ${seeded.pick(PATHS)}`, ['Content-Length: 0']);
    // The answer to HEAD has a length and no body, which the raw client would wait for.
    return { ...whole(request), whole: method !== 'HEAD' };
  },
  framings: (seeded) => part(Buffer.from(seeded.pick(BROKEN), 'latin1')),
  mutated: mutated,
  forgedUpdates: (seeded, hostile) => {
    const secret = `X-Telegram-Bot-Api-Secret-Token: ${seeded.text(7)}`;
    const body = JSON.stringify({ update_id: seeded.below(1_000), message: seeded.pick(ODD_VALUES) });
    const more = [secret, JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`];
    return whole(head(seeded, hostile, `POST ${hostile.webhook}`, more) + body);
  },
  pipelines: (seeded, hostile) => {
    const one = () => head(seeded, hostile, `GET ${seeded.pick(hostile.gets)}`);
    const requests = Array.from({ length: 40 }, one).join('') + seeded.pick(BROKEN);
    return { ...whole(requests), leaves: seeded.chance(0.5) ? 'answered' : 'at once' };
  },
  dribble: (seeded, hostile) => ({ ...whole(...goodOrder(seeded, hostile)), pauseMs: 1 + seeded.below(3) }),
  stalled: (seeded, hostile) => {
    const request = goodOrder(seeded, hostile);
    return { ...part(request.slice(0, seeded.below(request.length - 1))), leaves: 'never' };
  },
  hangUps: (seeded, hostile) => {
    const line = `POST ${seeded.pick(hostile.posts)}`;
    const [first = '', ...rest] = withBody(seeded, hostile, line, ' '.repeat(300_000));
    return { ...part(first, ...rest.slice(0, seeded.below(rest.length))), leaves: 'at once' };
  },
} satisfies Record<string, Make>;

const WEIGHTS: Record<keyof typeof MAKERS, number> = {
  ...{ large: 3, deep: 4, types: 25, headers: 8, bodyHeaders: 6, paths: 8, framings: 10, mutated: 40 },
  ...{ forgedUpdates: 4, pipelines: 3, dribble: 2, stalled: 3, hangUps: 6 },
};

/** The attack of this number. */
export function makeAttack(seed: number, hostile: Hostile): Attack {
  const seeded = createSeeded(seed);
  const name = seeded.weigh(WEIGHTS);
  return { name, ...MAKERS[name](seeded, hostile) };
}
