// The top-up platform as the core sees it, and the upstreams that it is reached by. Three adapters hold this contract:
// sandbox/, upstream/ and profiles/. A method never throws for what a platform can do: every behaviour is a value, and
// what is not certain is `unknown`.

/** What is to be redeemed. `reference` is ours, a UUID, the same for the same order with the same code. */
export interface PlatformOrder {
  reference: string;
  gameId: string;
  code: string;
  playerId: string;
  /** What the code is of, where it comes from the database; a few wires want it. */
  denomination?: number | null;
  /** As a person confirmed it; the receipt's name where the platform tells none. */
  playerName?: string | null;
}

/** How long a call may take, and the signal that gives it up. */
export interface CallOptions {
  signal: AbortSignal;
}

export interface OrderOptions extends CallOptions {
  /**
   * Told the id of the order over there before its end is asked for by it; the asking waits until it is kept. False:
   * another order has it, and it says nothing of this one.
   */
  saveJobId?: (theirId: string) => Promise<boolean>;
}

/** The player on the platform. */
export interface PlatformCharacter {
  openid: string;
  name: string;
}

/** The platform account that was used. For the session family: player account id and session token. */
export interface Credentials {
  uid?: string;
  email?: string;
  password?: string;
}

/** What the platform tells of a redemption it carried out. `amount` is absent when it cannot be determined. */
export interface PlatformReceipt extends PlatformCharacter, Credentials {
  region?: string;
  productName?: string;
  amount?: number;
}

/** Refusals: nothing was redeemed, for certain. */
export type RefusalCode =
  | 'CHARACTER_NOT_FOUND'
  | 'INVALID_CODE'
  | 'CODE_USED'
  | 'NO_ACCOUNTS_AVAILABLE'
  | 'LOGIN_FAILED'
  | 'RISK_CONTROL'
  | 'NETWORK_ERROR';

/** What came back of a call to an upstream, as it may be kept: codes, tokens and logins are blanked. */
export interface StoredAnswer {
  /** Absent where no answer came. */
  httpStatus?: number;
  /** At most 4 KiB. */
  text?: string;
  /** The id of the redemption or its job over there. */
  theirId?: string;
  /** No rule of the profile knows it. */
  isUnread?: true;
  /** How long the upstream asks to be left alone. */
  retryAfterMs?: number;
}

/** An HTTP status; or a service behind that does not understand direct redemption. */
export type HostTrouble = number | 'notDirect';

export type RedeemOutcome = { answer?: StoredAnswer } &
  /** `fullReceipt` is told when the answer itself says whether the order list shows it; else ask `findOrder`. */
  (
    | { status: 'redeemed'; receipt: PlatformReceipt; fullReceipt?: boolean }
    /**
     * `asked` is false when the platform certainly never heard of it. `hostNotice` is for the host of this service, in
     * English; `hostTrouble`: of what it is, where that has a name.
     */
    | {
        status: 'refused';
        errorCode: RefusalCode;
        message: string;
        asked: boolean;
        /** Certainly nothing has left this machine. */
        neverSent?: true;
        /** Our key, balance or limit over there. */
        refusedUs?: true;
        /** CODE_USED, and by this very player. */
        usedByPlayer?: true;
        hostNotice?: string;
        hostTrouble?: HostTrouble;
      }
    /** Redeemed or not, nobody knows yet: no answer in time, or one that cannot be read. */
    | {
        status: 'unknown';
        errorCode: 'UNKNOWN' | 'INVALID_ACTIVATION_RESPONSE';
        message: string;
        /** The reference is that of another order: this one was never taken. */
        isOfOtherOrder?: true;
        /** The platform says that it still works on it. */
        underWay?: true;
      }
  );

export type OrderOutcome =
  | { status: 'found'; productName?: string; amount?: number }
  | { status: 'notFound' }
  | { status: 'unreachable'; message: string };

export type CharacterOutcome =
  | ({ status: 'found' } & PlatformCharacter)
  | { status: 'notFound' }
  | { status: 'unreachable'; message: string; hostNotice?: string }
  /** It knows no names: nothing was asked. */
  | { status: 'notOffered' };

/**
 * When a code was redeemed, where that is told, and by whom. Times are milliseconds UTC, by the platform's own clock.
 */
export interface CodeRedemption {
  redeemedAt?: number;
  /**
   * What that clock said when this was told: only their difference, an age, means anything beside ours. Absent: not
   * told.
   */
  toldAt?: number;
  expiresAt?: number;
  /** The company that distributed the code. */
  channelName: string;
  openid: string;
  /** 0 when the platform does not tell. */
  amount: number;
  productName: string;
  playerId?: string;
  playerName?: string;
  /** The receipt with its credentials, where `withReceipt` asked for it and the platform keeps one for us. */
  receipt?: PlatformReceipt & { fullReceipt: boolean };
  /** It may keep one, and could not show it now: asked again, it may. */
  receiptAwaited?: true;
  /** By which upstream, where several may be asked. */
  toldBy?: string;
}

export type CodeOutcome =
  | ({ status: 'redeemed' } & CodeRedemption)
  /** Unknown to the platform, or not redeemed. Final only `settlingMs` after the last attempt ended. */
  | { status: 'notRedeemed' }
  /** The platform says that it is still working on this code: no answer yet. */
  | { status: 'underWay' }
  | {
      status: 'unreachable';
      message: string;
      hostNotice?: string;
      hostTrouble?: HostTrouble;
      /** It has answered, and does not tell: nothing more comes of asking. */
      doesNotTell?: true;
      /** The answer that does not tell, as it may be kept. */
      text?: string;
    };

export interface Platform {
  readonly name: 'sandbox' | 'upstream';
  /** Milliseconds after an attempt ended during which "not redeemed" may still turn into "redeemed". */
  readonly settlingMs: number;
  /** Milliseconds of the shortest pause between two looks at the same doubtful code. */
  readonly lookPauseMs: number;
  /** It keeps no list of orders, so that no receipt of it is ever a full one. */
  readonly hasNoOrderList?: true;
  /** It tells of no code: `findCode` is `unreachable`. */
  readonly hasNoLookUp?: true;
  /** It knows no names: `findCharacter` is `notOffered`. */
  readonly hasNoNames?: true;
  /** It is sent no reference of ours: the same order once more is no replay, and says nothing of the first. */
  readonly hasNoReferences?: true;
  /** What an order must have to be sent there. */
  readonly needs?: readonly 'denomination'[];
  redeem(order: PlatformOrder, options: OrderOptions): Promise<RedeemOutcome>;
  /**
   * What became of an order, by the platform's own record of it: `unknown` until that is final. Absent: it keeps none
   * by an id.
   */
  findRecord?(order: PlatformOrder, theirId: string, options: CallOptions): Promise<RedeemOutcome>;
  /** Looks for the full receipt: an item in the order list of the platform account. */
  findOrder(order: PlatformOrder, options: CallOptions): Promise<OrderOutcome>;
  findCharacter(
    player: { gameId: string; playerId: string },
    options: CallOptions,
  ): Promise<CharacterOutcome>;
  findCode(
    query: { gameId: string; code: string; withReceipt?: boolean },
    options: CallOptions,
  ): Promise<CodeOutcome>;
  /**
   * What the platform's own clock says now, as its last answer told; undefined while it has told nothing. Absent: it
   * has ours.
   */
  findNow?(): number | undefined;
  /** Whether the platform answers at all, asked by `/readyz`. Costs nothing. */
  isReachable(options: CallOptions): Promise<boolean>;
  close(): void;
}

/** A service that codes are redeemed at, as the settings have it. */
export interface Upstream {
  /** For ever: the ledger of attempts names it. */
  readonly name: string;
  /** The wire that it is asked by: `interface`, `sandbox`, or a profile's name. */
  readonly profile: string;
  /** Those of 1 are chosen first; of 0 never: it is asked about what it was sent. */
  readonly tier: number;
  /**
   * Whether it may be asked about codes that others were sent: it learns them. Games of which it hears of whatever is
   * spent anywhere: its "unused" of theirs counts.
   */
  readonly witness: boolean | readonly string[];
  /** What an activation is there, as "0.30", and in what currency; told in statistics only. */
  readonly cost?: string | undefined;
  readonly currency?: string | undefined;
  readonly platform: Platform;
  /** Whether it redeems codes of this game. */
  knows(gameId: string): boolean;
}
