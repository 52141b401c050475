// A platform in this very process whose every answer a test scripts; without a script it redeems each code once.
import type {
  CharacterOutcome,
  CodeOutcome,
  PlatformOrder,
  OrderOutcome,
  Platform,
  RedeemOutcome,
} from '../../src/platform/port.ts';

export interface ScriptedPlatform extends Platform {
  /** Every order that arrived, in order. */
  orders: PlatformOrder[];
  /** Resolves when so many have arrived. */
  arrived(count?: number): Promise<void>;
  /** Codes redeemed here, and for whom. */
  spent: Map<string, { playerId: string; redeemedAt: number; reference?: string }>;
  /** Replace any of these to script an answer. */
  script: {
    redeem?: (order: PlatformOrder, signal: AbortSignal) => RedeemOutcome | Promise<RedeemOutcome>;
    findOrder?: (order: PlatformOrder) => OrderOutcome;
    findCharacter?: (playerId: string) => CharacterOutcome;
    findCode?: (code: string) => CodeOutcome | Promise<CodeOutcome>;
  };
  /** The platform's own clock. */
  now: () => number;
  /** Redeems as without a script. */
  redeemNow(order: PlatformOrder): RedeemOutcome;
}

/** Of a platform that is out of reach: nothing has left this machine. */
export const UNREACHED: RedeemOutcome = {
  ...{ status: 'refused', errorCode: 'NETWORK_ERROR', message: 'down', asked: false, neverSent: true },
};

/** `spent`: where several know of each other's. */
export function createScriptedPlatform(
  now: () => number,
  spent: ScriptedPlatform['spent'] = new Map(),
): ScriptedPlatform {
  const orders: PlatformOrder[] = [];
  const awaited = new Map<number, PromiseWithResolvers<void>>();
  const script: ScriptedPlatform['script'] = {};

  function redeemNow({ code, playerId, reference }: PlatformOrder): RedeemOutcome {
    const earlier = spent.get(code);
    if (earlier && (earlier.reference !== reference || earlier.playerId !== playerId))
      return {
        ...({ status: 'refused', errorCode: 'CODE_USED', message: 'used', asked: true } as const),
        ...(earlier.playerId === playerId && { usedByPlayer: true }),
      };
    if (!earlier) spent.set(code, { playerId, redeemedAt: now(), reference });
    const receipt = { openid: `open-${playerId}`, name: `Player ${playerId}`, email: `${code}@example.test` };
    return { status: 'redeemed', receipt: { ...receipt, password: `pw-${code}`, uid: '1', amount: 60 } };
  }

  return {
    name: 'sandbox',
    settlingMs: 2_000,
    lookPauseMs: 1_000,
    orders,
    async arrived(count = 1) {
      if (orders.length >= count) return;
      const waits = awaited.get(count) ?? Promise.withResolvers();
      awaited.set(count, waits);
      await waits.promise;
    },
    spent,
    script,
    now,
    redeemNow,
    async redeem(order, { signal }) {
      orders.push(order);
      awaited.get(orders.length)?.resolve();
      return script.redeem ? await script.redeem(order, signal) : redeemNow(order);
    },
    findOrder: (order) => Promise.resolve(script.findOrder?.(order) ?? { status: 'found' }),
    findCharacter: ({ playerId }) =>
      Promise.resolve(
        script.findCharacter?.(playerId) ?? {
          status: 'found',
          openid: `open-${playerId}`,
          name: `Player ${playerId}`,
        },
      ),
    async findCode({ code }) {
      if (script.findCode) return await script.findCode(code);
      const found = spent.get(code);
      if (!found) return { status: 'notRedeemed' };
      return {
        status: 'redeemed',
        redeemedAt: found.redeemedAt,
        toldAt: now(),
        expiresAt: found.redeemedAt + 1,
        channelName: 'test',
        openid: `open-${found.playerId}`,
        amount: 60,
        productName: '60',
      };
    },
    isReachable: () => Promise.resolve(true),
    close: () => undefined,
  };
}
