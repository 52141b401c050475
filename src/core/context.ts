// Who is asking. Every verb of the core takes an Actor first; nothing in the core asks anybody else who it is. And what a surface
// keeps together with what it asked for.
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

/** Whoever hosts the service: the command line, and the Telegram ids of HOST_IDS. */
export interface HostActor {
  kind: 'host';
}

export type Actor = MemberActor | ApiKeyActor | HostActor;
export type AccountActor = MemberActor | ApiKeyActor;

/**
 * What a surface keeps in the very transaction of a deed: that its order is used up, and what somebody is to be told. It runs
 * last and only where something is done, or was done by the same order before; what it throws undoes the deed. The core knows
 * nothing of what it does.
 */
export type Alongside<Deed> = (tables: Tables, deed: Deed) => void;

/** What is written beside a deed: `member:5170925570`, `apiKey:3`, `host`. */
export function nameActor(actor: Actor): string {
  switch (actor.kind) {
    case 'member':
      return `member:${actor.telegramId}`;
    case 'apiKey':
      return `apiKey:${actor.apiKeyId}`;
    case 'host':
      return 'host';
  }
}
