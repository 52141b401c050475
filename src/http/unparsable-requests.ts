// Answers to what never became a request of the application: the same error shape, without the application.
import { STATUS_CODES } from 'node:http';

export type RawStatus = 400 | 405 | 408 | 417 | 431 | 500;

const SENTENCES: Record<RawStatus, string> = {
  400: 'The request cannot be read as HTTP. Check its address, headers and framing.',
  405: 'This service is no proxy. Use GET or POST on the paths that /docs describes.',
  408: 'The request took too long to arrive. Send it again.',
  417: 'This service expects nothing but 100-continue. Send the request without the Expect header.',
  431: 'The headers are larger than 16 KiB. Send fewer or smaller ones.',
  500: 'Something went wrong on our side. Try again later.',
};

/** Of what Node could not read. */
export function statusOfClientError(error: NodeJS.ErrnoException): RawStatus {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    default:
      return 400;
  }
}

export function problemJson(status: RawStatus): string {
  return JSON.stringify({ error: SENTENCES[status] });
}

export function problemHeaders(requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
}

/** A whole answer for a connection that has no request to answer. */
export function rawAnswer(status: RawStatus, requestId: string): string {
  const body = problemJson(status);
  const headers = Object.entries({
    ...problemHeaders(requestId),
    ...(status === 405 && { allow: 'GET, HEAD, POST' }),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`;
}
