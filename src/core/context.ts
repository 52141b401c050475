// Actors, and a surface's part of a transaction. Every verb of the core takes an Actor first; nothing in the core asks anybody
// else who it is.
import type { Tables } from '../store/index.ts';

export const ROLES = ['owner', 'admin', 'operator', 'support'] as const;
export type Role = (typeof ROLES)[number];

/** A Telegram user in an account, with the role looked up for this very call. */
export interface MemberActor {
  kind: 'member';
  accountId: number;
  telegramId: number;
  role: Role;
}

/** A program with an API key of an account. It may do what HTTP offers, and nothing else. */
export interface ApiKeyActor {
  kind: 'apiKey';
  accountId: number;
  apiKeyId: number;
}

/** Whoever hosts the service. `by`: one of the Telegram ids of HOST_IDS, or the command line. */
export interface HostActor {
  kind: 'host';
  by: number | 'cli';
}

/** The payment provider, telling of a refund that it has made by itself. */
export interface PaymentSystem {
  kind: 'paymentSystem';
}

export type Actor = MemberActor | ApiKeyActor | HostActor;
export type AccountActor = MemberActor | ApiKeyActor;

/**
 * A synchronous function of a surface that the core calls inside the transaction of an action: it writes that its confirmation is
 * used up, and what somebody is to be told. It runs last and only where the action is done, or was done by the same confirmation
 * before; what it throws rolls the action back. The core knows nothing of what it writes.
 */
export type InTransaction<Result> = (tables: Tables, result: Result) => void;

/** The actor as it is written beside an action: `member:5170925570`, `apiKey:3`, `host:5170925570`, `host:cli`. */
export function nameActor(actor: Actor | PaymentSystem): string {
  switch (actor.kind) {
    case 'member':
      return `member:${actor.telegramId}`;
    case 'apiKey':
      return `apiKey:${actor.apiKeyId}`;
    case 'host':
      return `host:${actor.by}`;
    case 'paymentSystem':
      return actor.kind;
  }
}

/** Whether what is written beside an action names a host. */
export const isByHost = (actor: string): boolean => actor.startsWith('host:');
