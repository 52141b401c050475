// An upstream that calls our games by other names, or knows some of them only: of the others nothing is sent.
import type { Platform } from './port.ts';

/** `games`: ours → theirs. `name`: as the host calls the upstream. */
export function withGames(
  platform: Platform,
  name: string,
  games: Readonly<Record<string, string>>,
): Platform {
  const theirs = <T extends { gameId: string }>(about: T): T | undefined => {
    const gameId = games[about.gameId];
    return gameId === undefined ? undefined : { ...about, gameId };
  };
  const message = 'The upstream service does not serve this game.';
  const unknown = { status: 'unreachable', message } as const;
  const { findRecord } = platform;
  return {
    ...platform,
    async redeem(order, options) {
      const asked = theirs(order);
      if (asked) return platform.redeem(asked, options);
      const hostNotice = `The upstream ${name} does not serve ${order.gameId}: add it to its "games".`;
      const never = { errorCode: 'NETWORK_ERROR', asked: false, neverSent: true } as const;
      return { status: 'refused', message, hostNotice, ...never };
    },
    async findOrder(order, options) {
      const asked = theirs(order);
      return asked ? platform.findOrder(asked, options) : unknown;
    },
    async findCharacter(player, options) {
      const asked = theirs(player);
      return asked ? platform.findCharacter(asked, options) : { status: 'notOffered' };
    },
    async findCode(query, options) {
      const asked = theirs(query);
      return asked ? platform.findCode(asked, options) : unknown;
    },
    ...(findRecord && {
      findRecord: (order, theirId, options) => findRecord(theirs(order) ?? order, theirId, options),
    }),
  };
}
