// What a profile writes for what is not known before an order: placeholders in what is sent, JSON Pointers into what is
// answered.
import { z } from 'zod';

export type Placeholder = 'code' | 'playerId' | 'denomination' | 'gameId' | 'reference' | 'token' | 'jobId';
export type PlaceholderValues = Partial<Record<Placeholder, string>>;

export type JsonValue = z.infer<ReturnType<typeof z.json>>;

/** A value is missing, or cannot be written as a number: nothing can be sent. Its message names no value. */
export class Unfillable extends Error {}

const WRITTEN = /\{([A-Za-z]*)(:number)?\}/g;
const NUMBER_ALONE = /^\{[A-Za-z]*:number\}$/;

/** The names that a text or the texts in a JSON value use, known or not. */
export function listPlaceholders(template: JsonValue): string[] {
  if (typeof template === 'object' && template !== null)
    return Object.values(template).flatMap(listPlaceholders);
  return [...String(template).matchAll(WRITTEN)].map(([, name = '']) => name);
}

/** A text with its values. `encode` is done to each. Throws Unfillable. */
export function fillText(
  template: string,
  values: PlaceholderValues,
  encode = (text: string) => text,
): string {
  return template.replaceAll(WRITTEN, (_, name: Placeholder) => encode(valueOf(values, name)));
}

/** A JSON value with its values; keys stay. `"{playerId:number}"` alone becomes a number. Throws Unfillable. */
export function fillJson(template: JsonValue, values: PlaceholderValues): JsonValue {
  if (typeof template === 'string') {
    const text = fillText(template, values);
    return NUMBER_ALONE.test(template) ? toNumber(text) : text;
  }
  if (Array.isArray(template)) return template.map((each) => fillJson(each, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, fillJson(each, values)]));
}

function valueOf(values: PlaceholderValues, name: Placeholder): string {
  const value = values[name];
  if (value === undefined) throw new Unfillable(`no ${name} is known`);
  return value;
}

/** Only what the other side reads as the same digits: a rounded player ID is another player. */
function toNumber(text: string): number {
  const number = Number(text);
  if (String(number) !== text || !Number.isSafeInteger(number))
    throw new Unfillable('a value cannot be written as a number');
  return number;
}

/** RFC 6901; "" is the whole document. */
export const Pointer = z
  .string()
  .regex(/^(\/([^/~]|~[01])*)*$/, 'must be a JSON Pointer like /data/id')
  .refine((pointer) => listPlaceholders(pointer).length === 0, 'is read as it stands: nothing is filled in');

/** What lies there; undefined where nothing does. */
function valueAt(json: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>((inner, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name);
    return isThere ? (inner as Record<string, unknown>)[name] : undefined;
  }, json);
}

/**
 * A text or a whole number that lies there, as text; undefined for anything else.
 */
export function textAt(json: unknown, pointer: string | undefined): string | undefined {
  const value = pointer === undefined ? undefined : valueAt(json, pointer);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether at each pointer lies its value, or one of its list. Nothing is converted: 0 is not "0". */
export function fits(
  where: Record<string, JsonValue> = {},
  json: unknown,
  values: PlaceholderValues,
): boolean {
  return Object.entries(where).every(([pointer, expected]) => {
    const actual = valueAt(json, pointer);
    return [expected].flat().some((each) => isSame(each, actual, values));
  });
}

function isSame(expected: JsonValue, actual: unknown, values: PlaceholderValues): boolean {
  try {
    return fillJson(expected, values) === actual;
  } catch (error) {
    if (error instanceof Unfillable) return false;
    throw error;
  }
}
