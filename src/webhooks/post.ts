// One request to an address that was looked at: to no other, without following anything, and with an end.
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

import type { HostAddress } from './look-up.ts';

export interface Post {
  url: URL;
  /** The request goes to one of these, whatever the name says by now. */
  addresses: readonly HostAddress[];
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ends it, wherever it is. */
  signal: AbortSignal;
  /** Certificates to trust beside those that everybody trusts. */
  ca?: string | undefined;
}

/** What is read of an answer: nobody looks at it. */
const READ_BYTES = 16 * 1024;

/**
 * The status of the answer. Rejects where there is none. The answer decides; its body is read to a bound, and thrown
 * away.
 */
export function post({ url, addresses, headers, body, signal, ca }: Post): Promise<number> {
  const options: RequestOptions & { ca?: string } = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    // Every delivery has a connection of its own: one that is kept would outlive the look at its address.
    agent: false,
    lookup: pin(addresses),
    signal,
    ca,
  };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, options);
  let isAnswered = false;
  // Once the status has come it counts, whatever becomes of the body.
  request.on('error', (error) => {
    if (!isAnswered) reject(error);
  });
  request.on('response', (answer) => {
    isAnswered = true;
    void drain(answer, signal).then(() => resolve(answer.statusCode ?? 0));
  });
  // Also where it ends without an error of its own: the other side wants another protocol.
  request.on('close', () => {
    if (!isAnswered) reject(new Error('The connection ended without an answer.'));
  });
  request.end(body);
  return promise;
}

function pin(addresses: readonly HostAddress[]): LookupFunction {
  return (_name, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** Resolves when the body has ended, or enough of it is read, or it broke off, at once where the signal ends it. */
function drain(answer: IncomingMessage, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let read = 0;
    answer.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > READ_BYTES) answer.destroy();
    });
    answer.on('error', () => undefined);
    answer.on('close', resolve);
    signal.addEventListener('abort', () => resolve());
  });
}
