// Bugs planted where a profile's rules are judged and followed: each calls something proven that is not.
import type { PlantedBug } from './planted-bug.ts';

const FILE = 'src/platform/profiles/profile.ts';
const INTERPRETER = 'src/platform/profiles/profiled-platform.ts';
const SCHEMA = 'src/platform/profiles/profile.test.ts';
const PROOFS = 'src/platform/profiles/proofs.test.ts';
const RESULT_CODE = 'src/platform/profiles/result-code.test.ts';
const JOB_POLL = 'src/platform/profiles/job-poll.test.ts';

export const PROFILES: PlantedBug[] = [
  {
    name: 'a profile may call a code unspent after a 5xx',
    file: FILE,
    edits: [['(status >= 500 || status < 400) && conditions', 'status < 400 && conditions']],
    tests: [PROOFS],
  },
  {
    name: 'a profile may call a code unspent after a timeout',
    file: FILE,
    edits: [["if (status === 'timeout' || status === 408)", 'if (status === 408)']],
    tests: [PROOFS],
  },
  {
    name: 'a profile may call a code unspent after a 408',
    file: FILE,
    edits: [["status === 'timeout' || status === 408", "status === 'timeout'"]],
    tests: [PROOFS],
  },
  {
    name: 'a profile may believe any answer',
    file: FILE,
    edits: [['if (where && conditions.length === 0)', 'if (where && conditions.length < 0)']],
    tests: [SCHEMA],
  },
  {
    name: 'the record of a job need not name our order',
    file: FILE,
    edits: [['answers: rules(OF_ORDERS, JOB, true)', 'answers: rules(OF_ORDERS, JOB)']],
    tests: [SCHEMA],
  },
  {
    name: 'half of an answer is read',
    file: INTERPRETER,
    edits: [[" || (answer.kind === 'answered' && !answer.whole)", '']],
    tests: [RESULT_CODE],
  },
  {
    name: 'what no rule knows is taken for a refusal',
    file: INTERPRETER,
    edits: [
      [
        'return { answer, means: rule?.means, told };',
        "return { answer, means: rule?.means ?? ('NETWORK_ERROR' as M), told };",
      ],
    ],
    tests: [PROOFS],
  },
  {
    name: 'a look that could not be sent is taken for an order that was not',
    file: INTERPRETER,
    edits: [["answer.kind === 'notSent' ? { ...answer, kind: 'lost' as const } : answer", 'answer']],
    tests: [JOB_POLL],
  },
];
