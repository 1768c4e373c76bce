#!/usr/bin/env bash
# Provides servers that tests need and that are not on Maven Central. See usage().
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
me=servers
. "$root/build/lib.sh"

usage() {
    cat <<'TEXT'
usage: build/servers.sh redis     Redis (one server, Sentinel, Cluster)

Says where the server is. If it is not installed, it is taken from the packages of this Debian system and unpacked
under .servers/: without root, and without a change to the system or to apt's lists and caches.
Redis or Valkey of your own: TENURE_REDIS_BIN=FOLDER, with redis-server or valkey-server in it.
TEXT
}

# Redis 7 or newer, or any Valkey.
find_redis() {
    local folder binary folders=("$(dirname "$(command -v redis-server || echo /)")" "$servers/redis/bin")
    [ -z "${TENURE_REDIS_BIN:-}" ] || folders=("$TENURE_REDIS_BIN")
    for folder in "${folders[@]}"; do
        for binary in "$folder"/{redis,valkey}-server; do
            [ -x "$binary" ] || continue
            case $("$binary" --version 2>/dev/null) in
            *' v='[7-9].* | *' v='[1-9][0-9]*.*)
                echo "redis: $binary"
                return 0
                ;;
            esac
        done
    done
    [ -z "${TENURE_REDIS_BIN:-}" ] || die "no redis-server 7 or newer and no valkey-server in TENURE_REDIS_BIN=$TENURE_REDIS_BIN"
    return 1
}

# One program, whose name decides what it is; the packages redis-server and redis-sentinel hold links to it.
make_redis() {
    unpack redis-tools
    ln -s redis-check-rdb "$new/root/usr/bin/redis-server"
    ln -s redis-check-rdb "$new/root/usr/bin/redis-sentinel"
    wrap redis-server redis-sentinel redis-cli
}

# Downloads packages, and what they need that this system lacks, and unpacks them to $new/root.
unpack() { # package…
    local apt=$new/apt file deb options=(-qq -y --reinstall --download-only)
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
    {
        # The system's way to its mirrors, without its hooks and without what is not Debian's.
        apt-config dump Acquire | grep -v '^Acquire::IndexTargets'
        cat <<CONF
Dir::Etc::parts "/dev/null";
Dir::Etc::main "/dev/null";
Dir::State "$apt/state";
Dir::Cache "$apt/cache";
Debug::NoLocking "1";
APT::Sandbox::User "root";
APT::Install-Recommends "0";
CONF
        for file in /etc/apt/sources.list.d/{debian,ubuntu}.sources /etc/apt/sources.list; do
            grep -Eqs '^(Types:|deb )' "$file" || continue
            echo "Dir::Etc::sourcelist \"$file\"; Dir::Etc::sourceparts \"/dev/null\";"
            break
        done
    } >"$apt/conf"
    export APT_CONFIG=$apt/conf LC_ALL=C
    # The system's lists save time; they may be missing, or too old for what the mirrors have.
    if ! apt-get "${options[@]}" -o Dir::State::lists=/var/lib/apt/lists install "$@" >"$apt/log" 2>&1; then
        echo "$me: fetching package lists" >&2
        if ! apt-get -qq update >"$apt/log" 2>&1 || ! apt-get "${options[@]}" install "$@" >>"$apt/log" 2>&1; then
            cat "$apt/log" >&2
            die "apt-get cannot fetch $*"
        fi
    fi
    for deb in "$apt"/cache/archives/*.deb; do
        dpkg -x "$deb" "$new/root"
    done
    rm -rf "$apt" "$new/root/usr/share"
}

# Writes scripts to $new/bin that become the unpacked programs, with the libraries beside them.
wrap() { # program…
    local program
    mkdir "$new/bin"
    for program in "$@"; do
        cat >"$new/bin/$program" <<'SH'
#!/bin/sh
root=${0%/*}/../root
for folder in "$root"/usr/lib/*-linux-gnu* "$root"/lib/*-linux-gnu*; do
    LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
done
export LD_LIBRARY_PATH
exec "$root/usr/bin/${0##*/}" "$@"
SH
        chmod +x "$new/bin/$program"
    done
}

case ${1:-} in
redis) ;;
-h | --help)
    usage
    exit 0
    ;;
*)
    usage >&2
    exit 1
    ;;
esac

servers=$root/.servers new=$root/.servers/new
find_"$1" && exit 0
for tool in apt-get dpkg flock; do
    command -v $tool >/dev/null || die "no $1 found, and no $tool to fetch it with (not a Debian system?): install $1 7 or newer"
done
mkdir -p "$servers"
exec 8>"$servers/lock"
flock 8
find_"$1" && exit 0 # by another call, meanwhile
trap 'rm -rf "$new"' EXIT
rm -rf "$new"
mkdir "$new"
"make_$1"
# Nobody sees it before it is whole.
rm -rf "${servers:?}/$1"
mv "$new" "$servers/$1"
find_"$1" || die "what was fetched does not run or is too old: $servers/$1"
