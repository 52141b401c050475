// The log of an account: who has done what, through which door; filtered by person, kind of act and day.
import {
  AUDITED_ACTS,
  formatAct,
  type AuditedAct,
  type AuditEntry,
  type AuditFilter,
} from '../../core/index.ts';
import { memberOf, type Screen, type ScreenContext } from '../context.ts';
import { listRoutes } from '../lists/routes.ts';
import { DAYS, momentColumn, plainColumn, type ListView } from '../lists/view.ts';
import { labelPerson } from '../parts/labels.ts';

/** By what they are about; each act of the list is in one (the types hold it). */
const KINDS = ['people', 'access', 'codes', 'secrets', 'money', 'service'] as const;
type Kind = (typeof KINDS)[number];
const KIND_OF: Record<AuditedAct, Kind> = {
  ...kind(
    'people',
    'memberInvited',
    'ownerInvited',
    'ownerToBeReplaced',
    'ownerStayed',
    'memberJoined',
    'memberLeft',
    'memberRemoved',
  ),
  ...kind('people', 'roleChanged', 'handedOver'),
  ...kind('access', 'keyIssued', 'keyRevoked', 'keyLimited', 'consoleEntered', 'consoleLeft'),
  ...kind('access', 'webhookAdded', 'webhookRemoved', 'webhookEnabled', 'webhookDisabled'),
  ...kind(
    'codes',
    'codesExtracted',
    'claimsIssued',
    'claimsRevoked',
    'claimReopened',
    'claimPlayerSet',
    'claimsReopened',
    'batchUndone',
    'codesPutBack',
    'codesShown',
    'stockPaused',
    'stockResumed',
  ),
  ...kind('codes', 'thresholdSet', 'doubtsAsked', 'doubtDecided'),
  ...kind('secrets', 'credentialsExported', 'credentialsShown', 'customerReceiptMade'),
  ...kind('secrets', 'playerForgotten', 'keyChanged'),
  ...kind('money', 'daysGranted', 'activationsGranted', 'refunded'),
  ...kind('service', 'accountOpened', 'accountRenamed', 'accountPaused', 'accountResumed', 'accountClosed'),
  ...kind('service', 'contactSet'),
  ...kind('service', 'accountReopened', 'timeZoneSet', 'upstreamPaused', 'upstreamResumed', 'upstreamCase'),
  ...kind('service', 'sweepsEnded', 'platformAdopted', 'databaseAdopted', 'restored'),
};

function kind<Act extends AuditedAct>(of: Kind, ...acts: Act[]): Record<Act, Kind> {
  return Object.fromEntries(acts.map((act) => [act, of])) as Record<Act, Kind>;
}

const logView: ListView<AuditEntry, AuditFilter> = {
  path: '/log',
  name: 'log',
  needs: 'readLog',
  csvNeeds: 'readLog',
  columns: [
    momentColumn('at', ({ at }) => at, 'at'),
    ['who', toActorText, 'who', (entry, context) => formatActor(context, entry)],
    ['door', ({ door }) => door, 'door', ({ door }, { t }) => t(`log-door-${door}`), 'narrow'],
    ['act', ({ what }) => what, 'act', (entry, context) => formatEntry(context, entry)],
    ['object', ({ object }) => object ?? undefined],
    ['before', ({ before }) => (before === null ? undefined : JSON.stringify(before))],
    ['after', ({ after }) => (after === null ? undefined : JSON.stringify(after))],
    plainColumn('reason', ({ reason }) => reason ?? undefined, 'narrow'),
  ],
  filters: [
    { key: 'person', as: 'telegramId', kind: 'number' },
    {
      ...{ key: 'about', as: 'acts', kind: 'choice' },
      choices: ({ t }) => KINDS.map((each) => [each, t(`log-about-${each}`)]),
      read: (about) => AUDITED_ACTS.filter((act) => KIND_OF[act] === about),
    },
    ...DAYS,
  ],
  sorts: ['-at', 'at'],
  page: (context, query) => context.core.auditLogList.page(memberOf(context), query.filter, query),
  walk: (context, query) => context.core.auditLogList.walk(memberOf(context), query.filter, query.order),
};

export const logScreen: Screen = { name: 'log', inMenu: true, routes: listRoutes(logView) };

function toActorText({ actorLabel }: AuditEntry): string {
  return actorLabel === undefined ? 'service' : labelPerson({ t: (key) => key }, actorLabel);
}

const formatActor = (context: ScreenContext, { actorLabel }: AuditEntry): string =>
  actorLabel === undefined ? context.t('log-by-itself') : labelPerson(context, actorLabel);

const formatEntry = (context: ScreenContext, entry: AuditEntry): string =>
  formatAct(entry, {
    ...{ language: context.language, timeZone: context.timeZone, say: context.t },
    person: (label) => labelPerson(context, label),
    role: (role) => context.t(`role-${role}`),
    name: (text) => text,
  });
