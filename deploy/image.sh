#!/bin/sh
# The image from Debian's and npm's packages alone, without any registry of images: mmdebstrap makes the base, buildah the rest.
#   deploy/image.sh [NAME [OPTION…]]     (as root; SUITE and MIRROR as for mmdebstrap; options go to buildah build)
# BUILDAH_ISOLATION=chroot where the machine has no namespaces. Behind a proxy that signs TLS by itself npm needs to know its
# certificate: --volume /etc/ssl/certs:/etc/ssl/certs:ro, and an npmrc that names it as cafile: --volume FILE:/etc/npmrc:ro.
set -eu
cd "$(dirname "$0")/.."
name=${1:-code-redemption}
[ $# -eq 0 ] || shift
base=localhost/code-redemption-base
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Without what nobody reads in there, as Debian's own small images; who wrote it stays.
mmdebstrap --variant=minbase --include=ca-certificates \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  "${SUITE:-trixie}" "$work/base.tar" ${MIRROR:+"$MIRROR"}
container=$(buildah from scratch)
buildah add "$container" "$work/base.tar" / >/dev/null
buildah commit --rm "$container" "$base" >/dev/null
buildah build --format docker --build-arg BASE="$base" -f deploy/Containerfile -t "$name" "$@" .
buildah images "$name"
