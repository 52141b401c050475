import { execFileSync } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('what works long beside a service gives way to it', () => {
  const command = fileURLToPath(new URL('command.ts', import.meta.url));
  const program = `const { giveWay } = await import(${JSON.stringify(command)});
    const { getPriority } = await import('node:os');
    giveWay();
    console.log(getPriority());`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(Number(said)).toBeGreaterThanOrEqual(constants.priority.PRIORITY_BELOW_NORMAL);
});
