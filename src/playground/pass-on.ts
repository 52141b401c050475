// Requests under /http/ go to the service as they are, with the playground's API key; answers come back as they are.
import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';

import type { Playground } from './playground.ts';

const PREFIX = '/http';
const OWN_TO_A_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host', 'origin'];

/** Passes one request on. A service that cannot be reached is 502, in a sentence. */
export function passOn(
  playground: Pick<Playground, 'apiUrl' | 'apiKey'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve) => {
    const target = playground.apiUrl() + (request.url ?? '').slice(PREFIX.length);
    const headers: Record<string, string | string[] | undefined> = {
      ...request.headers,
      authorization: `Bearer ${playground.apiKey}`,
    };
    for (const name of OWN_TO_A_CONNECTION) delete headers[name];
    const { method } = request;
    const onward = send(target, { headers, ...(method === undefined ? {} : { method }) }, (answer) => {
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined && !OWN_TO_A_CONNECTION.includes(name)) response.setHeader(name, value);
      }
      response.writeHead(answer.statusCode ?? 502);
      answer.pipe(response);
      answer.once('close', resolve);
    });
    onward.once('error', () => {
      if (response.headersSent) response.destroy();
      else {
        response.writeHead(502, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: 'The service cannot be reached. Is it running?' }));
      }
      resolve();
    });
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  });
}
