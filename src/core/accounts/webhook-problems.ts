// Why a delivery failed. Programs are told a sentence, which is what is kept; a surface with words of its own is told
// of what kind it is, and its one detail.
import type { AddressFlaw } from './webhooks.ts';

/** Where the detail stands in a sentence. */
const DETAIL = '…';

const FLAWS: Readonly<Record<AddressFlaw, string>> = {
  notAnAddress: 'This is not an address.',
  notHttps: 'Only https is delivered to.',
  withPassword: 'An address with a password is not delivered to.',
  tooLong: 'The address is too long.',
  unknownHost: 'There is no such host.',
  notPublic: 'The host has an address that is not public.',
  unresolved: 'The name of the host could not be looked up.',
};

const SENTENCES = {
  ...FLAWS,
  refused: 'It refused the connection.',
  brokenOff: 'It broke the connection off.',
  noWay: 'There is no way to it.',
  notTaken: 'It did not take the connection in time.',
  /** The detail: seconds. */
  late: 'It did not answer within … s.',
  /** A code of the runtime. */
  certificate: 'Its certificate or encryption does not hold (…).',
  /** A status. */
  redirected: 'It answered …, and redirects are not followed.',
  /** A status. */
  answered: 'It answered ….',
  failed: 'The connection failed.',
  /** A code of the runtime. */
  failedWith: 'The connection failed (…).',
  /** Written by the store, when it restores. */
  restored: 'A backup was restored: it is not known whether this was delivered.',
};

export type WebhookProblem = keyof typeof SENTENCES;

/** Every kind there is. */
export const WEBHOOK_PROBLEMS = Object.keys(SENTENCES) as readonly WebhookProblem[];

const SHAPES = Object.entries(SENTENCES).map(([problem, sentence]) => {
  const [before = '', after] = sentence.split(DETAIL).map((part) => part.replace(/[.()]/g, '\\$&'));
  const shape = after === undefined ? before : `${before}(\\S+)${after}`;
  return [problem as WebhookProblem, new RegExp(`^${shape}$`)] as const;
});

/** The sentence for programs, and to be kept. The detail has no spaces. */
export function formatHookProblem(problem: WebhookProblem, detail: string | number = ''): string {
  return SENTENCES[problem].replace(DETAIL, () => String(detail));
}

/** What a kept sentence says; undefined where it is none of ours. */
export function readWebhookProblem(
  sentence: string,
): { problem: WebhookProblem; detail: string } | undefined {
  for (const [problem, shape] of SHAPES) {
    const found = shape.exec(sentence);
    if (found) return { problem, detail: found[1] ?? '' };
  }
  return undefined;
}
