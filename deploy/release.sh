#!/bin/sh
# release.sh FOLDER: what is committed in this checkout, built, as a folder of its own in FOLDER, whose path is printed. It needs git and npm;
# where it runs later needs neither, so that it may be made on another machine of the same processor. What runs is not touched.
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
deploy/pack.sh >&2
mv "$half" "$to/$name"
echo "$to/$name"
