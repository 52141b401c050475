// A command of the host in this process, as its program runs it: in a folder, with an environment of its own and
// nothing else of the test's. To start the program costs twenty times as much as most of what it does.
import { getPriority, setPriority } from 'node:os';

import { runCommand } from '../../src/cli/commands.ts';
import { readResult, serviceEnv, type CliResult } from '../torture/process.ts';

export interface Ended {
  exitCode: number;
  out: string;
  err: string;
}

/** For who does not test that the program starts. */
export async function runCliHere(folder: string, ...args: string[]): Promise<CliResult> {
  const { exitCode, out, err } = await runHere(folder, args, serviceEnv(folder));
  return readResult(exitCode, out, err);
}

let last: Promise<unknown> = Promise.resolve();

/** Folder, environment and output are those of the whole process: one command after the other. */
export function runHere(folder: string, args: string[], env: Record<string, string>): Promise<Ended> {
  const ended = last.then(() => runAlone(folder, args, env));
  last = ended.catch(() => undefined);
  return ended;
}

async function runAlone(folder: string, args: string[], env: Record<string, string>): Promise<Ended> {
  const { exitCode } = process;
  const priority = getPriority();
  const cwd = process.cwd();
  const outside = { ...process.env };
  const [out, err] = [hear(process.stdout), hear(process.stderr)];
  try {
    process.chdir(folder);
    changeEnvironment(env);
    process.exitCode = 0;
    await runCommand(args);
    return { exitCode: Number(process.exitCode), out: out.end(), err: err.end() };
  } finally {
    out.end();
    err.end();
    process.exitCode = exitCode;
    changeEnvironment(outside);
    process.chdir(cwd);
    regain(priority);
  }
}

/** A command that gives way would leave all tests behind it behind, too. */
function regain(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // Not everybody may.
  }
}

function changeEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Takes what is written until `end`, which says it. */
function hear(stream: NodeJS.WriteStream): { end(): string } {
  let heard = '';
  const { write } = stream;
  stream.write = (text: string | Uint8Array) => {
    heard += String(text);
    return true;
  };
  return {
    end() {
      stream.write = write;
      return heard;
    },
  };
}
