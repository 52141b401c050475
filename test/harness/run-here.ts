// A command of the host in this process, as its program runs it: in a folder, with an environment of its own and
// nothing else of the test's. To start the program costs twenty times as much as most of what it does.
import { runCommand } from '../../src/cli/commands.ts';

export interface Ended {
  exitCode: number;
  out: string;
  err: string;
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
