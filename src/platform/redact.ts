// Answers as they may be kept: what was sent as a secret and what looks like a login is blanked, wherever it stands.

const LONGEST_BYTES = 4096;
const BLANK = '[secret]';
const SECRET_KEY = /pass|mail|token|secret|session|login|key|auth|cookie/i;

/**
 * At most 4 KiB of an answer, in which none of these secrets stands in any case, or spelling of JSON or of addresses.
 */
export function redact(
  { text, json }: { text?: string | undefined; json: unknown },
  secrets: readonly (string | undefined)[],
): string {
  const shown = json === undefined ? (text ?? '') : JSON.stringify(json, blankLogin);
  const spelled = secrets.flatMap((each) => (each ? [each, quote(each), encodeURIComponent(each)] : []));
  const blanked = [...new Set(spelled)]
    .sort((a, b) => b.length - a.length)
    .reduce((kept, each) => kept.replace(new RegExp(each.replaceAll(/\W/g, '\\$&'), 'gi'), BLANK), shown);
  const { read } = new TextEncoder().encodeInto(blanked, new Uint8Array(LONGEST_BYTES));
  return blanked.slice(0, read);
}

const quote = (text: string) => JSON.stringify(text).slice(1, -1);

function blankLogin(key: string, value: unknown): unknown {
  const isSimple = typeof value === 'string' || typeof value === 'number';
  return isSimple && SECRET_KEY.test(key) ? BLANK : value;
}
