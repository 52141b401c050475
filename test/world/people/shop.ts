// A shop: an account with its key and its codes. It is opened by the host's commands; whoever works there comes by
// invitation.
import { WEBHOOK_EVENTS, type Role } from '../../../src/core/index.ts';
import type { ChatRef, User } from '../../telegram/types.ts';
import type { Seeded } from '../../harness/seeded.ts';
import { RECEIVER } from '../machine/receivers.ts';
import type { World } from '../run/world.ts';

export interface Shop {
  number: number;
  accountId: number;
  /** Of its programs; another one now and then. */
  apiKey: string;
  /** Every key it ever had. */
  keys: string[];
  /** Where its programs are told by webhook, and what that is signed with. */
  hook: string;
  hookId: number;
  hookSecret: string;
  /** As what people came here. */
  cameAs: Map<number, Role>;
  /** Its programs number their orders, as those of other shops do. */
  nextNumber(): number;
  /** Fresh codes that the platform redeems for so much. */
  mint(denomination: number, count: number): string[];
  /** The newest of them: in stock, in somebody's hands, or spent. */
  minted(): readonly string[];
  join(user: User, role: Role): Promise<void>;
  /** Everybody who has joined is in the group of the shop from now on, and so is the bot. */
  meet(): void;
  group: ChatRef;
}

export const DENOMINATIONS = [60, 325, 660] as const;
/** Of codes that may be filed under whatever denomination somebody happens to choose. */
export const ANY = 9;
const CODES_AT_FIRST = 40;
const DAYS = 3_000;
const MINTED_KEPT = 40;
/** Far enough apart that an evening of one is a morning of another. */
const ZONES = ['UTC', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland'] as const;

export async function openShop(world: World, number: number, random: Seeded): Promise<Shop> {
  const { command } = world.service;
  const asked = { name: `Shop ${number}`, days: DAYS };
  const { accountId, apiKey } = await command((core) =>
    core.accounts.create({ kind: 'host', by: 'cli' }, asked),
  );
  const newest: string[] = [];
  const mint = (denomination: number, count: number) => {
    const fresh = () => `${denomination}S${random.text(15 - String(denomination).length)}`;
    const codes = Array.from({ length: count }, fresh);
    world.secrets.add(accountId, codes);
    newest.push(...codes);
    newest.splice(0, newest.length - MINTED_KEPT);
    return codes;
  };
  const stockKeys = DENOMINATIONS.map((denomination) => ({
    denomination,
    codes: mint(denomination, CODES_AT_FIRST),
  }));
  await command((core) => core.codes.add(core.apiKeys.authenticate(apiKey)!.actor, 'game_id_1', stockKeys));
  const hook = `/shop-${number}`;
  const added = await command((core) => {
    const { actor } = core.apiKeys.authenticate(apiKey)!;
    return core.webhooks.add(actor, { url: `${RECEIVER}${hook}`, events: [...WEBHOOK_EVENTS] });
  });
  const opened = {
    number,
    accountId,
    apiKey,
    hook,
    hookId: added.status === 'added' ? added.webhook.id : 0,
    hookSecret: added.status === 'added' ? added.secret : '',
  };
  return describe(world, { ...opened, mint, minted: () => newest });
}

const zoneOf = (number: number): string => ZONES[number % ZONES.length] ?? 'UTC';

/** An account of a day, with a few codes. */
export async function openTrial(world: World, random: Seeded): Promise<Shop> {
  const { command } = world.service;
  const asked = { name: 'On trial', days: 1 };
  const { accountId, apiKey } = await command((core) =>
    core.accounts.create({ kind: 'host', by: 'cli' }, asked),
  );
  const codes = Array.from({ length: CODES_AT_FIRST }, () => `60S${random.text(13)}`);
  world.secrets.add(accountId, codes);
  const stockKeys = [{ denomination: 60, codes }];
  await command((core) => core.codes.add(core.apiKeys.authenticate(apiKey)!.actor, 'game_id_1', stockKeys));
  const opened = { number: 0, accountId, apiKey, hook: '', hookId: 0, hookSecret: '' };
  return describe(world, { ...opened, mint: () => [], minted: () => [] });
}

type Opened = Pick<
  Shop,
  'number' | 'accountId' | 'apiKey' | 'hook' | 'hookId' | 'hookSecret' | 'mint' | 'minted'
>;

function describe(world: World, opened: Opened): Shop {
  const { command } = world.service;
  const { number, accountId, apiKey } = opened;
  let owner = 0;
  let orders = 0;
  const joined: User[] = [];
  const shop: Shop = {
    ...opened,
    keys: [apiKey],
    cameAs: new Map(),
    nextNumber: () => (orders += 1),
    async join(user, role) {
      const person = { telegramId: user.id, name: user.first_name, username: user.username };
      if (role === 'owner') owner = user.id;
      const actorOf = ({ id }: User) =>
        ({ kind: 'member', accountId, telegramId: id, role: 'owner' }) as const;
      const actor = actorOf({ ...user, id: owner });
      const invitation = await command((core) =>
        role === 'owner'
          ? core.members.inviteOwner({ kind: 'host', by: 'cli' }, accountId, `owner of ${number}`)
          : core.members.invite(actor, role, `${user.id}`),
      );
      await command((core) => core.members.join(person, invitation?.token ?? ''));
      world.members.set(user.id, { accountId, role });
      joined.push(user);
      if (role !== 'owner') shop.cameAs.set(user.id, role);
      else await command((core) => core.accounts.setTimeZone(actorOf(user), zoneOf(number)));
    },
    meet: () =>
      void (shop.group = world.telegram.api.createGroup({ title: `Shop ${number}`, members: joined })),
    group: { id: 0 },
  };
  return shop;
}
