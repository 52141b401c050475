// Names in the environment that are meant for a setting and are none: who misspells one would have its default, unsaid.
// What is another program's is left alone.

import { existsSync, readFileSync } from 'node:fs';

/** Words that begin names of ours and hardly of others. */
const OURS =
  /^(?:TELEGRAM|WEBHOOK|ENCRYPTION|UPSTREAM|SANDBOX|BACKUP|CONSOLE|METRICS|SUBSCRIPTION|DATABASE(?!_URL$))(?=S?_)/;

/** A sentence for each that is set and not used in the file of upstreams, where tokens have names of any kind. */
export function listMisspelt(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): string[] {
  const file = env.UPSTREAMS_FILE?.trim();
  const mentioned = file && existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Object.keys(env).flatMap((key) => {
    const name = key.replace(/^\uFEFF/, '');
    if (!env[key]?.trim() || settings.includes(name) || mentioned.includes(`$${name}`)) return [];
    const meant = findMeant(name.toUpperCase(), settings).join(' or ');
    return meant === '' ? [] : [`${name}: is no setting, and changes nothing; is ${meant} meant?`];
  });
}

/** The one that is near, else all that begin alike. */
function findMeant(name: string, settings: readonly string[]): string[] {
  const isEnd = /^[A-Z]+_[A-Z]+$/.test(name);
  const near = settings.find((setting) => (isEnd && setting.endsWith(`_${name}`)) || isNear(name, setting));
  if (near !== undefined) return [near];
  const [word] = OURS.exec(name) ?? [];
  return word === undefined ? [] : settings.filter((setting) => setting.startsWith(word));
}

/**
 * Whether two letters in one place are all that differs; of short names, to which those of others are near (HOST_IP),
 * one or two that are swapped.
 */
function isNear(name: string, setting: string): boolean {
  let [start, end] = [0, 0];
  const most = Math.min(name.length, setting.length);
  while (start < most && name[start] === setting[start]) start++;
  while (end < most - start && name.at(-1 - end) === setting.at(-1 - end)) end++;
  const [other, own] = [name, setting].map((text) => text.slice(start, text.length - end)) as [
    string,
    string,
  ];
  const differ = Math.max(other.length, own.length);
  const isSwapped = differ === 2 && other === [...own].reverse().join('');
  return setting.length > 8 ? differ <= 2 : isSwapped || (differ <= 1 && start > 0);
}
