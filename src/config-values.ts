// The forms that a setting can have, as zod schemas over its text, and what an address or a token may be.
import { z } from 'zod';

import { isCidr } from './addresses.ts';
import { HOUR_MS } from './clock.ts';

export function optional<T extends z.ZodType>(schema: T) {
  return schema.optional().transform((value) => value);
}

export function matching(pattern: RegExp, message: string) {
  return z.string().regex(pattern, message);
}

export function yesOrNo() {
  return z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');
}

export function visible() {
  return z.string().refine(isVisible, 'must be visible ASCII characters without spaces');
}

export function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .refine((value) => /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max, message)
    .transform(Number);
}

/** Hours, in milliseconds: from six minutes to a year. */
export function hours() {
  return z
    .string()
    .refine(
      (value) => /^\d{1,4}(\.\d{1,3})?$/.test(value) && Number(value) >= 0.1 && Number(value) <= 8760,
      'must be hours from 0.1 to 8760',
    )
    .transform((value) => Math.round(Number(value) * HOUR_MS));
}

/** Addresses and ranges of them, with commas between. */
export function cidrs() {
  return z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine(
      (values) => values.every(isCidr),
      'must be addresses or ranges such as 10.0.0.0/8, with commas between',
    );
}

export function webAddress() {
  return z
    .string()
    .refine(isWebAddress, 'must be an address that begins with https:// or http://')
    .transform((value) => value.replace(/(?<!\/)\/+$/, ''));
}

/**
 * What paths are written behind: even a lone ? or # would swallow them. And no request goes to an address with a
 * password.
 */
export function bareAddress() {
  return webAddress().refine(isBareAddress, 'must be an address without user, password, ? and #');
}

/** Of http or https, to which paths can be added. */
export function isBareAddress(value: string): boolean {
  const { username, password } = URL.parse(value) ?? {};
  return isWebAddress(value) && !/[?#]/.test(value) && !username && !password;
}

/** Where the console is reached: https, or http on this machine, and always under /console. */
export function consoleAddress() {
  return z
    .string()
    .transform((value) => value.replace(/\/$/, ''))
    .refine(
      (value) => isBareAddress(value) && new URL(value).pathname === '/console' && isPrivate(new URL(value)),
      'must be https://your.host/console (http for 127.0.0.1 and localhost alone), with no other path',
    );
}

/** The origin that what is given to strangers begins with. */
export function publicAddress() {
  return z
    .string()
    .transform((value) => value.replace(/\/$/, ''))
    .refine(
      (value) => isBareAddress(value) && new URL(value).origin === value && isPrivate(new URL(value)),
      'must be https://your.host (http for 127.0.0.1 and localhost alone), with no path',
    );
}

const isPrivate = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** What a header can carry. */
export const isVisible = (value: string): boolean => /^[\x21-\x7e]+$/.test(value);

export function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

export function encryptionKey() {
  return z
    .string()
    .refine(
      (value) =>
        Buffer.from(value, 'base64').length === 32 &&
        Buffer.from(value, 'base64').toString('base64') === value,
      'must be 32 bytes in base64, 44 characters; `openssl rand -base64 32` makes one',
    )
    .transform((value) => Buffer.from(value, 'base64'));
}

export function telegramIds() {
  const split = (value: string) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return z
    .string()
    .refine(
      (value) => split(value).every((part) => /^[1-9]\d{0,14}$/.test(part)),
      'must be Telegram ids (whole numbers) separated by commas',
    )
    .transform((value) => [...new Set(split(value).map(Number))]);
}

/** `9.99` to 999, without the rounding of binary fractions. */
export function cents() {
  return z
    .string()
    .refine(
      (value) => /^\d{1,7}(\.\d{1,2})?$/.test(value) && Number(value) > 0,
      'must be a price above zero like 9.99',
    )
    .transform((value) => {
      const [dollars = '0', rest = ''] = value.split('.');
      return Number(dollars) * 100 + Number(rest.padEnd(2, '0'));
    });
}
