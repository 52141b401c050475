#!/bin/sh
# Checks every file of this folder with the program it is for, and says what could not be checked here and why.
# On Debian: apt-get install caddy nginx prometheus systemd shellcheck buildah. With IMAGE=1 the image is built (its base comes from a
# registry, or is named in BUILD_OPTIONS) and started, too; PODMAN and RUN_OPTIONS are for machines that need more words for it.
set -u
cd "$(dirname "$0")" || exit
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# try WHAT PROGRAM COMMAND…: one line each, and the words of what failed.
try() {
  what=$1 program=$2
  shift 2
  if ! command -v "$program" >/dev/null 2>&1; then
    echo "not checked: $what ($program is not here)"
    return
  fi
  if "$@" >"$work/said" 2>&1; then
    echo "ok: $what"
  else
    failed=1
    echo "WRONG: $what"
    sed 's/^/    /' "$work/said"
  fi
}

# The units name programs of the finished installation: here they are looked for in this checkout.
units() {
  here=$(cd .. && pwd)
  for unit in systemd/*; do sed "s#/opt/code-redemption#$here#g" "$unit" >"$work/$(basename "$unit")"; done
  systemd-analyze verify --man=no "$work"/code-redemption.service "$work"/code-redemption-check.service "$work"/code-redemption-check.timer
}
exposure() { systemd-analyze security --offline=yes --threshold=20 systemd/code-redemption.service; }
nginx_site() {
  printf 'pid %s/pid;\nerror_log stderr;\nevents {}\nhttp {\n access_log off;\n include %s;\n}\n' "$work" "$PWD/nginx.conf" >"$work/nginx.conf"
  nginx -t -q -c "$work/nginx.conf"
}
rules() { (cd prometheus && promtool check rules rules.yml && promtool test rules rules.test.yml); }
# promtool also asks for the rules that the file names.
scraping() { promtool check config prometheus/prometheus.yml; }
dashboard() { node -e "const { panels } = JSON.parse(require('fs').readFileSync('grafana-dashboard.json', 'utf8')); if (!panels.length) process.exit(1)"; }
image() {
  (cd .. && buildah build --format docker -f deploy/Containerfile -t code-redemption-check ${BUILD_OPTIONS:-} .) || return 1
  container=$(${PODMAN:-podman} run -d --read-only --tmpfs /tmp --cap-drop all ${RUN_OPTIONS:-} code-redemption-check) || return 1
  # The image's own health check, by hand: who watches it (systemd, docker) may not be here.
  healthy=$(sed -n 's/^  CMD \["node", "-e", "\(.*\)"\]$/\1/p' Containerfile)
  n=0
  until podman exec "$container" node -e "$healthy"; do
    n=$((n + 1))
    [ $n -lt 20 ] || return 1
    sleep 1
  done
  podman exec "$container" sh -c '[ "$(id -u)" = 10001 ] && ! touch /service/written 2>/dev/null' || return 1
  podman stop -t 15 "$container" && [ "$(podman inspect "$container" --format '{{.State.ExitCode}}')" = 0 ] && podman rm "$container"
}

try 'shell scripts' shellcheck shellcheck --severity=warning check.sh check-proxy.sh release.sh pack.sh redemption
try 'systemd units' systemd-analyze units
try 'systemd hardening (exposure at most 2.0)' systemd-analyze exposure
try 'Caddyfile' caddy caddy validate --config Caddyfile --adapter caddyfile
try 'nginx site' nginx nginx_site
for proxy in nginx caddy; do
  try "$proxy in front of a service that is killed: asked once, answered 503" "$proxy" ./check-proxy.sh "$proxy"
done
try 'alert rules and their tests' promtool rules
try 'Prometheus scrape' promtool scraping
try 'Grafana dashboard is JSON with panels (Grafana itself is not asked)' node dashboard
if [ "${IMAGE:-}" = 1 ]; then try 'image, built and started read-only' buildah image; else echo 'not checked: image (set IMAGE=1)'; fi
echo 'not checked: compose.yaml (needs a registry for its images), litestream.yml (Litestream is not asked)'
exit $failed
