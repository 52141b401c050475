#!/bin/sh
# release.sh FOLDER: what is committed in this checkout, with its packages, as a folder of its own in FOLDER, whose path is printed. It needs
# git and npm; where it runs later needs neither, so that it may be made on another machine of the same processor. What runs is not touched.
set -eu
umask 022
to=$(cd "${1:?Say where: deploy/release.sh /opt}" && pwd)
cd "$(dirname "$0")/.."
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
name=code-redemption-$version-$(git rev-parse --short=8 HEAD)
if [ -e "$to/$name" ]; then
  echo "$to/$name"
  exit
fi
# Under another name until it is whole.
half=$to/.$name.$$
trap 'rm -rf "$half"' EXIT
mkdir "$half"
git archive HEAD | tar x -C "$half"
cd "$half"
{
  npm ci --omit=dev --ignore-scripts
  # Of all the install scripts the only one that is needed: it brings Node. What it takes its program from is not needed after it.
  npm rebuild node
  rm -rf node_modules/node/node_modules node_modules/better-sqlite3/deps
} >&2
node_modules/.bin/node --version >/dev/null
mv "$half" "$to/$name"
echo "$to/$name"
