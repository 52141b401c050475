// What stands around every request of the console: the headers of its answers, the cookie, and what a POST has to
// prove before anything reads it.
import type { MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

import { ConsoleProblem, type ConsoleEnv, type ConsoleRequest, type ConsoleSettings } from '../context.ts';

/** Nothing but our own, nothing inline, in no frame. */
const POLICY = [
  "default-src 'none'",
  ...['style-src', 'script-src', 'img-src', 'form-action'].map((directive) => `${directive} 'self'`),
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `Referrer-Policy: no-referrer` would have a form send `Origin: null`. */
export const guardAnswers: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  c.header('content-security-policy', POLICY);
  c.header('cache-control', 'no-store');
  c.header('referrer-policy', 'same-origin');
  c.header('x-content-type-options', 'nosniff');
  c.header('cross-origin-opener-policy', 'same-origin');
  await next();
};

/**
 * By https `__Host-`, so that no other host and no plain page can set it. Over http, which is for loopback alone, not
 * every browser takes a secure cookie: there its name and its flag are left out.
 */
const isSecure = ({ url }: ConsoleSettings): boolean => url.startsWith('https:');
const cookieName = (settings: ConsoleSettings) => (isSecure(settings) ? '__Host-console' : 'console');

export const readToken = (c: ConsoleRequest, settings: ConsoleSettings): string | undefined =>
  getCookie(c, cookieName(settings));

export function setSessionCookie(c: ConsoleRequest, settings: ConsoleSettings, token: string): void {
  const flags = { path: '/', httpOnly: true, sameSite: 'Strict' } as const;
  setCookie(c, cookieName(settings), token, { ...flags, secure: isSecure(settings) });
}

export function dropToken(c: ConsoleRequest, settings: ConsoleSettings): void {
  deleteCookie(c, cookieName(settings), { path: '/', secure: isSecure(settings) });
}

/** Throws ConsoleProblem 403 for a POST that is not of our own pages. */
export function requireOwnOrigin(c: ConsoleRequest, { url }: ConsoleSettings): void {
  const site = c.req.header('sec-fetch-site');
  if (c.req.header('origin') === new URL(url).origin && (site === undefined || site === 'same-origin'))
    return;
  throw new ConsoleProblem(403, 'other-origin');
}
