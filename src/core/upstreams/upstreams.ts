// The upstreams as one: which an order is sent to, and who is asked about a player or a code: the first that can tell, then the next.
import type { CallOptions, CharacterOutcome, CodeOutcome, Platform, Upstream } from '../../platform/port.ts';

/** What decides where an order may be sent. */
interface OrderToPlace {
  gameId: string;
  denomination: number | null;
}

export interface Upstreams {
  /** In the order of the settings. */
  readonly all: readonly Upstream[];
  /** Milliseconds after which what was sent to any of them is carried out no more. */
  readonly settlingMs: number;
  /** Of the shortest pause between two looks at one doubt, wherever it was sent. */
  readonly lookPauseMs: number;
  /** By the name that the ledger has; undefined where the settings name it no more. */
  find(name: string): Upstream | undefined;
  /** Where an order is sent; undefined where there is nobody. */
  choose(order: OrderToPlace): Upstream | undefined;
  /** `notOffered` where none knows names. */
  findCharacter: Platform['findCharacter'];
  /** `unreachable` where none has told. */
  findCode: Platform['findCode'];
  /** What the clock of the first of them says that tells one. */
  tellNow(): number | undefined;
  /** Whether one of those that may be chosen answers. */
  isReachable(options: CallOptions): Promise<boolean>;
}

const NOT_TOLD: CodeOutcome = { status: 'unreachable', message: 'No upstream tells of codes.' };

/** `all`: at least one. */
export function createUpstreams(all: readonly Upstream[]): Upstreams {
  const byName = new Map(all.map((upstream) => [upstream.name, upstream]));
  const byTier = all.filter(({ tier }) => tier > 0).sort((a, b) => a.tier - b.tier);
  const asked = [...byTier, ...all.filter(({ tier }) => tier === 0)];
  return {
    all,
    settlingMs: Math.max(...all.map(({ platform }) => platform.settlingMs)),
    lookPauseMs: Math.max(...all.map(({ platform }) => platform.lookPauseMs)),
    find: (name) => byName.get(name),
    choose: ({ gameId, denomination }) =>
      byTier.find((each) => each.knows(gameId) && hasNeeded(each, denomination)),
    async findCharacter(player, options) {
      let told: CharacterOutcome = { status: 'notOffered' };
      for (const { platform, knows } of asked) {
        if (platform.hasNoNames || !knows(player.gameId)) continue;
        told = await platform.findCharacter(player, options);
        if (told.status === 'found' || told.status === 'notFound' || options.signal.aborted) return told;
      }
      return told;
    },
    async findCode(query, options) {
      let told = NOT_TOLD;
      for (const { name, platform, knows } of asked) {
        if (platform.hasNoLookUp || !knows(query.gameId)) continue;
        told = await platform.findCode(query, options);
        if (told.status === 'redeemed') return { ...told, toldBy: name };
        if (told.status !== 'unreachable' || options.signal.aborted) return told;
      }
      return told;
    },
    tellNow: () => asked.map(({ platform }) => platform.tellNow?.()).find((now) => now !== undefined),
    async isReachable(options) {
      const answers = byTier.map(({ platform }) => platform.isReachable(options).then(refuteUnlessSo));
      return Promise.any(answers).catch(() => false);
    },
  };
}

const hasNeeded = ({ platform }: Upstream, denomination: number | null): boolean =>
  denomination !== null || !platform.needs?.includes('denomination');

function refuteUnlessSo(isSo: boolean): true {
  if (!isSo) throw new Error('It does not answer.');
  return true;
}
