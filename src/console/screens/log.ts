// The log of an account: who has done what, through which door; filtered by person, kind of act and day.
import {
  AUDITED_ACTS,
  formatAct,
  toIsoTime,
  type AuditedAct,
  type AuditEntry,
  type AuditFilter,
} from '../../core/index.ts';
import { memberOf, type Screen, type ScreenContext } from '../context.ts';
import { listRoutes } from '../lists/routes.ts';
import { dayOf, numberOf, textOf, type ListQuery, type ListView } from '../lists/view.ts';
import { labelPerson } from '../parts/labels.ts';
import { absoluteTime } from '../parts/time.ts';

/** By what they are about; each act of the list is in one (the types hold it). */
const KINDS = ['people', 'access', 'codes', 'secrets', 'money', 'service'] as const;
type Kind = (typeof KINDS)[number];
const KIND_OF: Record<AuditedAct, Kind> = {
  ...kind('people', 'memberInvited', 'ownerInvited', 'memberJoined', 'memberLeft', 'memberRemoved'),
  ...kind('people', 'roleChanged', 'handedOver'),
  ...kind('access', 'keyIssued', 'keyRevoked', 'consoleEntered', 'consoleLeft'),
  ...kind('access', 'webhookAdded', 'webhookRemoved', 'webhookEnabled', 'webhookDisabled'),
  ...kind('codes', 'codesExtracted', 'batchUndone', 'codesReleased', 'stockPaused', 'stockResumed'),
  ...kind('codes', 'thresholdSet', 'doubtsAsked', 'doubtDecided'),
  ...kind('secrets', 'credentialsExported', 'credentialsShown', 'customerReceiptMade'),
  ...kind('secrets', 'playerForgotten', 'keyChanged'),
  ...kind('money', 'daysGranted', 'activationsGranted', 'refunded'),
  ...kind('service', 'accountOpened', 'accountRenamed', 'accountPaused', 'accountResumed', 'accountClosed'),
  ...kind(
    'service',
    'accountReopened',
    'timeZoneSet',
    'upstreamPaused',
    'upstreamResumed',
    'upstreamCase',
    'sweepsEnded',
  ),
  ...kind('service', 'platformAdopted', 'databaseAdopted', 'restored'),
};

function kind<Act extends AuditedAct>(of: Kind, ...acts: Act[]): Record<Act, Kind> {
  return Object.fromEntries(acts.map((act) => [act, of])) as Record<Act, Kind>;
}

const LARGEST_ID = 999_999_999_999;

function toFilter(query: ListQuery): AuditFilter {
  const of = textOf(query, 'about');
  return {
    telegramId: numberOf(query, 'person'),
    acts: of === undefined ? undefined : AUDITED_ACTS.filter((act) => KIND_OF[act] === of),
    from: dayOf(query, 'from'),
    to: dayOf(query, 'to'),
  };
}

const logView: ListView<AuditEntry> = {
  path: '/log',
  name: 'log',
  needs: 'readLog',
  csvNeeds: 'readLog',
  columns: [
    {
      key: 'at',
      csv: ({ at }, timeZone) => toIsoTime(at, timeZone),
      shown: { header: 'at', cell: ({ at }, context) => absoluteTime(context, at), sort: 'at' },
    },
    {
      key: 'who',
      csv: ({ actorLabel }) =>
        actorLabel === undefined ? 'service' : labelPerson({ t: (key) => key }, actorLabel),
      shown: { header: 'who', cell: (entry, context) => formatActor(context, entry) },
    },
    {
      key: 'door',
      csv: ({ door }) => door,
      shown: { header: 'door', cell: ({ door }, { t }) => t(`log-door-${door}`), hidden: 'narrow' },
    },
    {
      key: 'act',
      csv: ({ what }) => what,
      shown: { header: 'act', cell: (entry, context) => formatEntry(context, entry) },
    },
    { key: 'object', csv: ({ object }) => object ?? undefined },
    { key: 'before', csv: ({ before }) => (before === null ? undefined : JSON.stringify(before)) },
    { key: 'after', csv: ({ after }) => (after === null ? undefined : JSON.stringify(after)) },
    {
      key: 'reason',
      csv: ({ reason }) => reason ?? undefined,
      shown: { header: 'reason', cell: ({ reason }) => reason ?? '', hidden: 'narrow' },
    },
  ],
  filters: [
    { key: 'person', kind: 'number', most: LARGEST_ID },
    {
      key: 'about',
      kind: 'choice',
      choices: ({ t }) => KINDS.map((each) => [each, t(`log-about-${each}`)]),
    },
    { key: 'from', kind: 'day' },
    { key: 'to', kind: 'day' },
  ],
  sorts: ['-at', 'at'],
  page: (context, query) => context.core.auditLogList.page(memberOf(context), toFilter(query), query),
  walk: (context, query) => context.core.auditLogList.walk(memberOf(context), toFilter(query), query.order),
};

export const logScreen: Screen = { name: 'log', inMenu: true, routes: listRoutes(logView) };

const formatActor = (context: ScreenContext, { actorLabel }: AuditEntry): string =>
  actorLabel === undefined ? context.t('log-by-itself') : labelPerson(context, actorLabel);

const formatEntry = (context: ScreenContext, entry: AuditEntry): string =>
  formatAct(entry, {
    ...{ language: context.language, timeZone: context.timeZone, say: context.t },
    person: (label) => labelPerson(context, label),
    role: (role) => context.t(`role-${role}`),
    name: (text) => text,
  });
