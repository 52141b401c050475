// Defects of restores, of the sender of webhooks, and of the platform over the wire.
import type { PlantedDefect } from './defects.ts';

export const PASTS: readonly PlantedDefect[] = [
  {
    name: 'what a lost past had just sent is not waited for',
    file: 'src/core/redemption/check-unspent.ts',
    edits: [['settlingLeftMs(store.lost?.until, upstreams.settlingMs, clock.now())', '0']],
  },
  {
    name: 'a sound database is given up for any backup',
    file: 'src/store/backup/restore.ts',
    edits: [['if (because === undefined) throw', "if (because === '') throw"]],
  },
  {
    name: 'a restored doubt gives its code back unasked',
    file: 'src/store/backup/unfinished-work.ts',
    edits: [
      [
        "    update codes set claimed_from = 'unverified' where state in ('reserved', 'in_doubt') and claimed_from = 'available';",
        '',
      ],
    ],
  },
  {
    name: 'an address is told of what it did not ask for',
    file: 'src/store/tables/webhooks.ts',
    edits: [
      ["(events.split(',').includes(event) ? [id] : [])", "(events !== '' && event !== '' ? [id] : [])"],
    ],
  },
  {
    name: 'a low stock is told with its threshold',
    file: 'src/core/notices/notices.ts',
    edits: [
      ['available: count(), threshold }', 'available: threshold, threshold }'],
      ['      const count = () => countFree(tables, { accountId, gameId, denomination });\n', ''],
    ],
  },
  {
    name: 'a redirect counts as taken',
    file: 'src/webhooks/attempt.ts',
    edits: [['status >= 200 && status < 300 ? { status }', 'status >= 200 && status < 400 ? { status }']],
  },
  {
    name: 'a receiver is switched off after three hours',
    file: 'src/core/accounts/webhook-deliveries.ts',
    edits: [['const OFF_AFTER_MS = TRIED_FOR_MS - HOUR_MS;', 'const OFF_AFTER_MS = 3 * HOUR_MS;']],
  },
  {
    name: 'an upstream that says 502 is taken for one that was not reached',
    file: 'src/platform/upstream/redeem.ts',
    edits: [
      [
        '  if (hostNotice === undefined) {',
        "  if (answer.httpStatus === 502) return refuse('NETWORK_ERROR', 'It is not there.', false);\n  if (hostNotice === undefined) {",
      ],
      [
        'function readFailure(order: PlatformOrder, { httpStatus, whole, json }: Answered)',
        'function readFailure(order: PlatformOrder, answer: Answered)',
      ],
      [
        '  const failure = httpStatus >= 400 ?',
        '  const { httpStatus, whole, json } = answer;\n  const failure = httpStatus >= 400 ?',
      ],
    ],
  },
  {
    name: 'a sweep ends after the first code that is unspent',
    file: 'src/core/redemption/sweep.ts',
    edits: [
      ['  const isOver = unspent >= state.needed || isAtEnd;', '  const isOver = unspent > 0 || isAtEnd;'],
    ],
  },
  {
    name: 'what may have been handed out in a lost time is not held',
    file: 'src/store/backup/lost-time.ts',
    edits: [['if (count > 0) question.run', 'if (count < 0) question.run']],
  },
  {
    name: 'a lost time is taken for no busier than any before',
    file: 'src/store/backup/lost-time.ts',
    edits: [['Math.ceil(2 * most * longer) + largest', 'most + largest * Math.min(1, longer)']],
  },
  {
    name: 'an order is taken for a repeated one by its player alone',
    file: 'src/core/redemption/recovered.ts',
    edits: [["    if (told.status === 'redeemed')", "    if (told.status !== 'unknown')"]],
  },
  {
    name: 'what a lost time carried out is given to nobody',
    file: 'src/core/redemption/recovered.ts',
    edits: [["    if (key?.scope === 'chat') return NONE;", '    if (key) return NONE;']],
  },
];
