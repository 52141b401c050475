#!/bin/sh
# check-proxy.sh nginx|caddy: the real proxy with the site of this folder, in front of a service that is killed while it redeems or hands
# out. Right is: the request came there once, and the client reads a 503, which it does not repeat by itself (a 502 it would). And a body
# that is too large is a 413 that never comes there.
set -u
cd "$(dirname "$0")" || exit
work=$(mktemp -d)
service=3941 site=3942
trap 'kill $pids 2>/dev/null; rm -rf "$work"' EXIT
pids=

cat >"$work/service.mjs" <<END
import { createServer } from 'node:http';
import { appendFileSync } from 'node:fs';
createServer((request, response) => {
  if (request.method === 'GET') return response.end();
  appendFileSync('$work/asked', request.method + ' ' + request.url + '\n');
  request.resume().on('end', () => process.exit(1));
}).listen($service, '127.0.0.1');
END
serve() {
  node "$work/service.mjs" &
  pids="$pids $!"
}
serve

case $1 in
  nginx)
    sed -e "s/127.0.0.1:3000/127.0.0.1:$service/" -e "s/listen 80;/listen 127.0.0.1:$site;/" nginx.conf >"$work/site.conf"
    printf 'pid %s/pid;\nerror_log stderr;\ndaemon off;\nevents {}\nhttp {\n access_log off;\n include %s/site.conf;\n}\n' "$work" "$work" >"$work/nginx.conf"
    nginx -c "$work/nginx.conf" 2>"$work/said" &
    ;;
  caddy)
    { printf '{\n admin off\n}\n'; cat Caddyfile; } >"$work/Caddyfile"
    SITE=:$site SERVICE=127.0.0.1:$service HOME=$work caddy run --config "$work/Caddyfile" --adapter caddyfile 2>"$work/said" &
    ;;
esac
pids="$pids $!"

await_service() {
  n=0
  until curl -sf "http://127.0.0.1:$site/healthz"; do
    n=$((n + 1))
    [ $n -lt 50 ] || { cat "$work/said"; exit 1; }
    sleep 0.1
  done
}
# ask PATH: the answer's status, and how often the service was asked for it.
ask() {
  await_service
  status=$(curl -s -o "$work/answer" -w '%{http_code}' -X POST "http://127.0.0.1:$site$1" -d '{}')
  asked=$(grep -c "^POST $1\$" "$work/asked")
  echo "$1: status $status, asked $asked times: $(cat "$work/answer")"
  [ "$status" = 503 ] && [ "$asked" = 1 ]
}
ask /redeem && grep -q '"errorCode":"UNKNOWN"' "$work/answer" || exit 1
for path in /db/extract /db /orders; do
  serve
  ask $path && grep -q '"error":"' "$work/answer" || exit 1
done
serve
await_service
head -c 17000000 /dev/zero >"$work/large"
status=$(curl -s -o "$work/answer" -w '%{http_code}' -X POST "http://127.0.0.1:$site/db" --data-binary "@$work/large")
echo "17 MB: status $status: $(cat "$work/answer")"
[ "$status" = 413 ] && [ "$(grep -c '^POST /db$' "$work/asked")" = 1 ]
