// What whoever hosts the service is told of its troubles: each once when it begins and once when it is over, in the
// chat; what befell it for certain is told, and nothing without a cause.
import { formatAlert } from '../../../src/bot/outbox/alert-words.ts';
import { createTexts, LANGUAGES } from '../../../src/bot/texts.ts';
import type { HostAlert } from '../../../src/core/index.ts';
import { loadCatalogue } from '../machine/catalogue.ts';
import { look } from '../run/rest.ts';
import { HOST_ID } from '../machine/service.ts';
import type { World } from '../run/world.ts';
import type { WrittenNotice } from '../audit/notices.ts';

type Name = HostAlert['name'];

interface Told {
  id: number;
  at: number;
  alert: HostAlert;
  endedAt: number | null;
}

const KEPT = "select value from meta where key = 'host_alerts'";
/** While it lasts nothing can be told. */
const TOLD_IN_THE_END = new Set<Name>([
  'database-unwritable',
  'database-moved',
  'token-revoked',
  'bot-start-failed',
]);
/** These go on for as long as a person, an order or the sweep of a stock takes. */
const LASTING = new Set<Name>(['doubt-old', 'upstream-refusing', 'upstream-none', 'restored']);
const GAMES = loadCatalogue();
const OLD_MS = 15 * 60_000;

const keyOf = ({ name, of = '' }: HostAlert) => `${name} ${of}`;

const toldToday = ({ diary }: World): Told[] =>
  [...diary.notices.values()]
    .filter(({ kind, isJudged }) => kind === 'hostAlert' && !isJudged)
    .map((notice) => notice as WrittenNotice & Pick<Told, 'alert' | 'endedAt'>);

const readLasting = ({ disk }: World): HostAlert[] =>
  look(disk.databasePath(), (file) => {
    const kept = file.prepare(KEPT).pluck().get() as Buffer | undefined;
    return kept ? (JSON.parse(kept.toString()) as { alerts: HostAlert[] }).alerts : [];
  });

/** By the evening before: what was told and not over, since when. */
const knownOf = new WeakMap<World['diary'], Map<string, HostAlert>>();

/** Held before the evening is known. */
export function everyTroubleOfTheHostIsTold(world: World): string[] {
  const { diary } = world;
  const evening = [...(knownOf.get(diary)?.values() ?? [])];
  return diary.troubles.flatMap(({ name, after, isSure }) => {
    const told = toldToday(world).filter(({ alert }) => alert.name === name);
    const before = told.findLast(({ id }) => id <= after);
    const lasted = before ? before.endedAt === null : evening.some((alert) => alert.name === name);
    const isTold = told.some(
      ({ id, endedAt }) => id > after && (TOLD_IN_THE_END.has(name) || endedAt === null),
    );
    return !isSure || lasted || isTold ? [] : [`${name} befell the service, and no host was told`];
  });
}

export function eachHostAlertIsToldOnceAndOnceWhenOver(world: World): string[] {
  const { diary } = world;
  const evening = knownOf.get(diary) ?? new Map<string, HostAlert>();
  const lasting = new Map(readLasting(world).map((alert) => [keyOf(alert), alert]));
  knownOf.set(diary, lasting);
  const told = new Set(evening.keys());
  const wrong: string[] = [];
  for (const { id, alert, endedAt } of toldToday(world)) {
    const key = keyOf(alert);
    const isOpen = told.has(key) || (endedAt !== null && TOLD_IN_THE_END.has(alert.name));
    if (isOpen !== (endedAt !== null))
      wrong.push(
        `notice ${id} tells that ${key} ${isOpen ? 'begins, which lasts' : 'is over, which was never told'}`,
      );
    if (endedAt === null) told.add(key);
    else told.delete(key);
  }
  for (const [key, { name, since }] of lasting) {
    if (!told.has(key) && !TOLD_IN_THE_END.has(name))
      wrong.push(`${key} lasts, and its beginning was never told`);
    if (evening.get(key)?.since === since && !LASTING.has(name))
      wrong.push(`${key} is over for a day, and no host was told`);
  }
  for (const key of told) if (!lasting.has(key)) wrong.push(`${key} is over, and no host was told`);
  return wrong;
}

/** Of today, or one that goes on. */
const PAUSES = `
  select count(*) from audit_log p where what = 'upstreamPaused' and (at > ? or not exists (
    select 1 from audit_log r where r.what = 'upstreamResumed' and r.object = p.object and r.id > p.id))`;
const wasPaused = ({ disk, diary }: World): boolean =>
  look(disk.databasePath(), (file) => file.prepare(PAUSES).pluck().get(diary.judgedUntil)) !== 0;

export function noHostIsToldOfATroubleWithoutACause(world: World): string[] {
  const { diary, service } = world;
  const befell = new Set(diary.troubles.map(({ name }) => name));
  const wasUnclean = service.takeUncleanStarts() > 0;
  const isUnreached = service.takeUnreached() > 1;
  const isCaused: Partial<Record<Name, (told: Told) => boolean>> = {
    restored: () => diary.restored !== undefined,
    'unclean-end': () => wasUnclean,
    'platform-unreachable': () => isUnreached,
    'doubt-old': ({ at, alert: { facts } }) => at - Number(facts['doubtedAt']) >= OLD_MS,
    'upstream-none': () => wasPaused(world),
    // Whatever stands between answers in the place of the platform now and then.
    'upstream-refusing': ({ alert: { facts } }) => facts['trouble'] !== undefined,
  };
  return toldToday(world).flatMap((told) => {
    const { name, facts } = told.alert;
    const isBeginning = told.endedAt === null || TOLD_IN_THE_END.has(name);
    if (!isBeginning || befell.has(name) || isCaused[name]?.(told)) return [];
    return [`hosts are told of ${name} ${JSON.stringify(facts)}, which did not befall the service`];
  });
}

export function noHostIsToldOfAnythingInAQuietWorld(world: World): string[] {
  if (!world.isQuiet) return [];
  return toldToday(world).map(({ alert, endedAt }) => {
    const what = endedAt === null ? '' : ' is over';
    return `nothing befell the service, and hosts are told that ${keyOf(alert)}${what} ${JSON.stringify(alert.facts)}`;
  });
}

const texts = createTexts({
  nameOf: (id, language) => GAMES.find((game) => game.id === id)?.name[language] ?? id,
});

export function everyHostAlertIsSaidToTheHost(world: World): string[] {
  const { diary, said } = world;
  if (diary.isAway({ id: HOST_ID })) return [];
  const heard = said.today.filter(({ chatId }) => chatId === HOST_ID);
  return toldToday(world).flatMap(({ id, alert, endedAt }) => {
    const words = LANGUAGES.map((language) => formatAlert(texts, language, alert, endedAt));
    if (heard.some(({ text }) => words.some((each) => text.includes(each)))) return [];
    return [`no host was told of notice ${id}: ${words[0]}`];
  });
}
