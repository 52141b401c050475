// Log lines: JSON, one a line, ISO time. Knows nothing of the product, only that some fields and some words are
// secrets. Callers do not log secrets; what is done here is the second net under them.
import { pathToFileURL } from 'node:url';

import { pino } from 'pino';

import { asset } from './files.ts';

/** The part of the logger that the rest of the program uses. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LoggerOptions {
  /** trace, debug, info, warn, error, fatal or silent. */
  level: string;
  /** Where lines go; standard output if left out. */
  destination?: { write(line: string): void };
}

/** A logger that masks secret fields at any depth and writes errors as name, code, scrubbed message and stack. */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => mask(fields, 0) as Record<string, unknown>,
    },
    // The net above has written errors already; pino's own serializer would copy every field of them.
    serializers: { err: (err: unknown) => err },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

const MASK = '[secret]';
const MAX_DEPTH = 6;
const MAX_CAUSES = 3;
const SECRET_FIELD =
  /^(x-)?(authorization|cookie|set-cookie|password|email|codes?|codeoverride|(bot|access|api|session|webhook|metrics)?[-_]?token|secret|api[-_]?key)$/i;

// What looks like a secret inside a text: addresses, bearers, bot tokens, queries of URLs, quoted input, long
// identifiers.
const SECRET_TEXT = [
  /(?<![^\s"'<>@])[^\s"'<>@]+@[^\s"'<>@]+\.[^\s"'<>@]+/g,
  /\bBearer\s+\S+/gi,
  /\b\d{6,}:[\w-]{20,}/g,
  /\?[^\s"')?=]*=[^\s"')]*/g,
  /"[^\n]{6,}"/g,
  /\b[A-Z]{12,}\b/g,
];
const IDENTIFIER = /\b[\w-]{12,}/g;
/** What is longer is cut before anything is looked for in it. */
const LONGEST_SCRUBBED = 4_096;

function scrub(text: string): string {
  const scrubbed = SECRET_TEXT.reduce((rest, pattern) => rest.replace(pattern, MASK), shorten(text));
  return scrubbed.replace(IDENTIFIER, (word) =>
    /\d/.test(word) && /[A-Za-z][\w-]{11}/.test(word) ? MASK : word,
  );
}

/** Cut between words, and quotes closed: half a secret would not look like one. */
function shorten(text: string): string {
  if (text.length <= LONGEST_SCRUBBED) return text;
  return `${text.slice(0, Math.max(0, text.lastIndexOf(' ', LONGEST_SCRUBBED)))} …"`;
}

function mask(value: unknown, depth: number): unknown {
  if (value instanceof Error) return describeError(value, 0);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => mask(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_FIELD.test(name) ? MASK : mask(inner, depth + 1),
    ]),
  );
}

function describeError(error: Error, causes: number): object {
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    message: scrub(error.message),
    stack: scrubStack(error),
    ...(error.cause instanceof Error && causes < MAX_CAUSES
      ? { cause: describeError(error.cause, causes + 1) }
      : {}),
  };
}

/** Where the program lies: the name of a release has a version, which would look like a secret in a path. */
const HOME = [pathToFileURL(asset('/')).href, asset('/')];

/**
 * The frames alone: the head of a stack repeats the message. A message may be made to look like a frame. Paths are those
 * inside the program.
 */
function scrubStack(error: Error): string {
  const lines = (error.stack ?? '').split('\n');
  const frames = lines.filter((line) => /^\s+at .+:\d+\)?$/.test(line)).join('\n');
  return scrub(HOME.reduce((text, home) => text.replaceAll(home, ''), frames));
}
