#!/bin/sh
# pack.sh: makes of this checkout, where nothing is installed yet, what runs: built, with its Node and the few packages that no bundle holds.
# release.sh and the Containerfile run it in a copy; it needs npm.
set -eu
cd "$(dirname "$0")/.."
npm ci --ignore-scripts
# Of all the install scripts the only one that is needed: it brings Node.
npm rebuild node
npm run build
# What is of this processor, and what is read as it is.
mkdir -p packages/.bin packages/@resvg
for package in node better-sqlite3 @resvg/resvg-js @resvg/resvg-js-linux-*-gnu dejavu-fonts-ttf swagger-ui-dist; do
  (cd node_modules && mv $package "../packages/$(dirname "$package")/")
done
mv node_modules/.bin/node packages/.bin/
rm -rf node_modules packages/node/node_modules packages/better-sqlite3/deps packages/better-sqlite3/src
mv packages node_modules
node_modules/.bin/node --version >/dev/null
