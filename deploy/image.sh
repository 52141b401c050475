#!/bin/sh
# The image from Debian's and npm's packages alone, without any registry of images: mmdebstrap makes the base, buildah the rest.
#   deploy/image.sh [NAME]        (as root; BUILDAH_ISOLATION=chroot where the machine has no namespaces; SUITE and MIRROR as for mmdebstrap)
set -eu
cd "$(dirname "$0")/.."
name=${1:-code-redemption}
base=localhost/code-redemption-base
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mmdebstrap --variant=minbase --include=ca-certificates "${SUITE:-trixie}" "$work/base.tar" ${MIRROR:+"$MIRROR"}
container=$(buildah from scratch)
buildah add "$container" "$work/base.tar" / >/dev/null
buildah commit --rm "$container" "$base" >/dev/null
buildah build --format docker --build-arg BASE="$base" -f deploy/Containerfile -t "$name" .
buildah images "$name"
