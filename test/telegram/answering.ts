// The HTTP half of the local Bot API without a socket: addresses, bodies, answers, and what comes in place of an
// answer. Which methods there are and what they do is handed to it.
import { STATUS_CODES } from 'node:http';

import type { Fault, FaultyCall } from './faults.ts';
import { tooMany } from './flood.ts';
import { createParams, decodeParams, type Params } from './params.ts';
import { ApiRefusal } from './types.ts';

export interface AnsweringDeps {
  token: string;
  /** Whether Telegram cannot be reached at all. */
  isDown: () => boolean;
  /** Whether the token is unknown, whoever says it. */
  isRevoked: () => boolean;
  takeFault: (call: FaultyCall) => Fault | undefined;
  call: (method: string, params: Params, signal: AbortSignal) => Promise<unknown>;
  findFile: (path: string) => Buffer | undefined;
}

/** A request, however it came. */
export interface BotApiRequest {
  url: URL;
  contentType: string;
  /** Throws ApiRefusal where it is too long. */
  readBody: () => Promise<Buffer>;
  /** Whoever asked has hung up. */
  signal: AbortSignal;
}

/** An answer on its way. */
export interface Reply {
  status: number;
  type: string;
  body: Buffer;
  headers: Record<string, string>;
}

/** `cut`: the connection breaks; `silence`: no answer, ever. */
export type BotApiResponse = Reply | 'cut' | 'silence';

/** Answers one request as Telegram would, or as the fault that was ordered for it says. */
export async function answerCall(deps: AnsweringDeps, asked: BotApiRequest): Promise<BotApiResponse> {
  if (deps.isDown()) return 'cut';
  const { pathname, searchParams } = asked.url;
  const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(pathname);
  if (file) return answerFile(deps, file[1]!, decodeURIComponent(file[2]!));
  const match = /^\/bot([^/]+)\/([A-Za-z]+)$/.exec(pathname);
  if (!match) return refusal(new ApiRefusal(404, 'Not Found'));
  if (decodeURIComponent(match[1]!) !== deps.token || deps.isRevoked())
    return refusal(new ApiRefusal(401, 'Unauthorized'));
  const method = match[2]!;
  const params = await readParams(asked, searchParams);
  if (params instanceof ApiRefusal) return refusal(params);
  const fault = deps.takeFault({ method, params });
  if (fault && !isAfter(fault)) return meet(fault, undefined);
  const reply = await callMethod(deps, method, params, asked.signal);
  return fault ? meet(fault, reply) : reply;
}

async function callMethod(
  deps: AnsweringDeps,
  method: string,
  params: Params,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    return json(200, { ok: true, result: await deps.call(method, params, signal) });
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return refusal(error);
  }
}

/** A link that does not lead to a file is a 404 whatever is wrong with it; a token that was revoked a 401. */
function answerFile(deps: AnsweringDeps, token: string, path: string): BotApiResponse {
  const fault = deps.takeFault({ method: 'file', params: createParams({ path }) });
  const bytes = token === deps.token ? deps.findFile(path) : undefined;
  const found = bytes && { status: 200, type: 'application/octet-stream', body: bytes, headers: {} };
  const reply = deps.isRevoked()
    ? refusal(new ApiRefusal(401, 'Unauthorized'))
    : (found ?? refusal(new ApiRefusal(404, 'Not Found')));
  return fault ? meet(fault, reply) : reply;
}

/** What comes instead of the answer; `reply` is the answer that is lost, where the call was carried out. */
function meet(fault: Fault, reply: Reply | undefined): BotApiResponse {
  switch (fault.kind) {
    case 'flood':
      return refusal(tooMany(fault.retryAfter));
    case 'error': {
      const { code, description = 'Internal Server Error', parameters } = fault;
      return refusal(new ApiRefusal(code, description, parameters));
    }
    case 'html':
      return pageOf(fault.code);
    case 'half':
      return reply ? { ...reply, body: reply.body.subarray(0, reply.body.length / 2) } : 'silence';
    case 'hang':
      return 'silence';
    case 'cut':
      return 'cut';
  }
}

const isAfter = (fault: Fault) => fault.kind === 'half' || ('after' in fault && fault.after === true);

/** What the proxy before the Bot API says when nobody behind it answers. */
function pageOf(code: 502 | 503 | 504): Reply {
  const title = `${code} ${STATUS_CODES[code]}`;
  const page = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.18.0</center>\r\n</body>\r\n</html>\r\n`;
  return { status: code, type: 'text/html', body: Buffer.from(page), headers: {} };
}

export function refusal({ code, message, parameters }: ApiRefusal): Reply {
  const wait = parameters?.retry_after;
  const body = { ok: false, error_code: code, description: message, ...(parameters && { parameters }) };
  return json(code, body, wait === undefined ? {} : { 'retry-after': String(wait) });
}

function json(status: number, body: object, headers: Record<string, string> = {}): Reply {
  return { status, type: 'application/json', body: Buffer.from(JSON.stringify(body)), headers };
}

async function readParams(asked: BotApiRequest, query: URLSearchParams): Promise<Params | ApiRefusal> {
  try {
    return decodeParams(query, asked.contentType, await asked.readBody());
  } catch (error) {
    if (error instanceof ApiRefusal) return error;
    throw error;
  }
}
