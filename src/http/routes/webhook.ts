// Where Telegram delivers updates, when the bot is set to a webhook. A wrong secret is a 401 that runs nothing.
import { createHash, timingSafeEqual } from 'node:crypto';

import type { RouteConfig } from '@hono/zod-openapi';

import { readJson } from '../body.ts';
import type { HttpApp, HttpContext } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { HttpProblem } from '../errors.ts';

export interface WebhookRoute {
  /** The public address; its path is where the updates arrive. */
  url: string;
  secret: string;
  /**
   * `kept`: the update is on disk; only then is Telegram told that it arrived. `full`: Telegram is to deliver it again.
   */
  accept(update: never): Promise<'kept' | 'full'>;
}

/** When Telegram is to deliver again what was not taken; until then it holds back what follows. */
const RETRY_SECONDS = '2';
const SECRET_HEADER = 'x-telegram-bot-api-secret-token';

/** A setting that contradicts the interface. The message is the whole sentence. */
export class PathTaken extends Error {
  override readonly name = 'PathTaken';
}

/** Throws PathTaken where its path is one of the interface's: programs would be answered there, and Telegram never. */
export function mountWebhook(
  endpoints: Endpoints,
  webhook: WebhookRoute,
  app: Pick<HttpApp, 'routes'>,
): void {
  const path = readPath(webhook.url);
  if (app.routes.some((route) => route.method === 'POST' && leadsTo(route.path, path)))
    throw new PathTaken(`The path of WEBHOOK_URL, ${path}, is one of the interface: choose another one.`);
  const route: RouteConfig = { method: 'post', path, hide: true, responses: {} };
  const take = async (c: HttpContext) => {
    if (!isSame(c.req.header(SECRET_HEADER) ?? '', webhook.secret)) {
      throw new HttpProblem(401, 'This is where Telegram delivers updates, with its secret.', {
        'www-authenticate': 'Bearer',
      });
    }
    const update = await readJson(c);
    if (
      typeof update !== 'object' ||
      update === null ||
      !('update_id' in update) ||
      !Number.isSafeInteger(update.update_id)
    ) {
      throw new HttpProblem(400, 'This is not an update.');
    }
    if ((await webhook.accept(update as never)) === 'kept') return c.json({});
    throw new HttpProblem(429, 'Too much waits to be handled.', { 'retry-after': RETRY_SECONDS });
  };
  // People put secrets into this path.
  endpoints.open(route, take, '(webhook)');
}

/** `:id` of a route stands for anything. */
function leadsTo(route: string, path: string): boolean {
  const [parts, own] = [route.split('/'), path.split('/')];
  return parts.length === own.length && parts.every((part, i) => part.startsWith(':') || part === own[i]);
}

/** As the router compares paths: letters outside ASCII as letters, a percent sign as it was sent. */
function readPath(url: string): string {
  const { pathname } = new URL(url);
  try {
    return decodeURI(pathname.replaceAll('%25', '%2525'));
  } catch {
    return pathname;
  }
}

/** Compares digests, in constant time whatever the lengths. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
