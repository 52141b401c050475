// The guide for those who integrate, as a page: docs/integrating.md, rendered when it is first asked for.
import { readFile } from 'node:fs/promises';

const SOURCE = new URL('../../docs/integrating.md', import.meta.url);

export const GUIDE_STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1, h2 { line-height: 1.25; margin-top: 2.2em; }
h1 { margin-top: 1em; }
pre, code { font: 0.9em/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: 0.1em 0.3em; }
pre { padding: 0.8em 1em; overflow-x: auto; }
pre code { background: none; padding: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; min-width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.4em 0.8em 0.4em 0; text-align: left; vertical-align: top; }
`;

/** The whole page; it asks no other host for anything and runs no script. Rejects where the file is not there. */
export async function renderGuide(): Promise<string> {
  // Loaded when somebody reads, which is seldom.
  const { marked } = await import('marked');
  const text = await marked.parse(await readFile(SOURCE, 'utf8'));
  const body = text
    .replaceAll('<table>', '<div class="wide"><table>')
    .replaceAll('</table>', '</table></div>');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Integrating · Code Redemption Service</title>
    <link rel="icon" type="image/png" href="favicon-32x32.png">
    <link rel="stylesheet" href="guide.css">
  </head>
  <body>
    <p><a href="../docs">The reference</a> · <a href="../openapi.json">openapi.json</a></p>
${body}  </body>
</html>
`;
}
