// The sentences about failed deliveries are read again as what they say, those that others write among them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { readWebhookProblem, WEBHOOK_PROBLEMS, formatHookProblem } from './webhook-problems.ts';

test.each(WEBHOOK_PROBLEMS)('%s is read from its sentence, with its detail', (problem) => {
  const sentence = formatHookProblem(problem, '500');
  const detail = sentence.includes('500') ? '500' : '';
  expect(readWebhookProblem(sentence)).toEqual({ problem, detail });
});

test('what stands between the detail is taken as it is, and other sentences are nobody’s', () => {
  expect(readWebhookProblem(formatHookProblem('certificate', 'CERT_HAS_EXPIRED'))).toEqual({
    problem: 'certificate',
    detail: 'CERT_HAS_EXPIRED',
  });
  expect(formatHookProblem('failedWith', '$&')).toBe('The connection failed ($&).');
  for (const other of ['', 'No.', 'It answered 500', 'It answered with much. It answered 500.'])
    expect(readWebhookProblem(other)).toBeUndefined();
});

test('the store writes the same sentence when it restores', () => {
  const closing = new URL('../../store/backup/unfinished-work.ts', import.meta.url);
  expect(readFileSync(closing, 'utf8')).toContain(formatHookProblem('restored'));
});
