// Loaded before the program by the scripts of package.json: a Node that cannot run it is told in a sentence. It cannot be
// TypeScript, which is the very thing that an older Node does not read.
const { engines } = require('../package.json');

const least = Number.parseInt(engines.node.replace(/\D+/, ''), 10);
const found = process.versions.node;

if (Number.parseInt(found, 10) < least) {
  process.stderr.write(
    `This is Node ${found}, and the service needs ${least} or newer: \`npm ci\` brings one along (without --ignore-scripts), and npm start uses it.\n`,
  );
  process.exit(1);
}
