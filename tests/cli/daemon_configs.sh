#!/bin/bash
# The files of configs/ that other programs read, read by them, as far as they are installed: systemd,
# nginx, Caddy.
#
#     daemon_configs.sh CONFIGS
set -euo pipefail

configs=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read_by=

if command -v systemd-analyze >/dev/null; then
    read_by="$read_by systemd"
    systemd-analyze security --offline=true --threshold=15 --no-pager \
        "$configs/draughtsd.service" >"$work/exposure" ||
        { tail -n 1 "$work/exposure"; echo "FAILED: exposure over 1.5" >&2; exit 1; }
    tail -n 1 "$work/exposure"
fi
if command -v nginx >/dev/null; then
    read_by="$read_by nginx"
    openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=draughts.example.org \
        -keyout "$work/key" -out "$work/pem" 2>/dev/null
    {
        echo "pid $work/pid; error_log stderr; events {} http { access_log off;"
        sed "s|/etc/ssl/draughts.pem|$work/pem|; s|/etc/ssl/private/draughts.key|$work/key|" \
            "$configs/nginx.conf"
        echo "}"
    } >"$work/nginx.conf"
    nginx -t -q -c "$work/nginx.conf"
fi
if command -v caddy >/dev/null; then
    read_by="$read_by caddy"
    HOME=$work caddy validate --adapter caddyfile --config "$configs/Caddyfile" >"$work/out" 2>&1 ||
        { cat "$work/out" >&2; exit 1; }
fi
echo "daemon_configs: read by${read_by:- nobody, none of them is installed}"
