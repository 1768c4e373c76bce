#!/usr/bin/env bash
# Provides servers that tests need and that are not on Maven Central. See usage().
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
me=servers
. "$root/build/lib.sh"

usage() {
    cat <<'TEXT'
usage: build/servers.sh redis     Redis (one server, Sentinel, Cluster)
       build/servers.sh consul    Consul (one agent, three servers)

Says where the server is. If it is not installed, it is taken from the packages of this Debian system and unpacked
under .servers/: without root, and without a change to the system or to apt's lists and caches.
Redis or Valkey of your own: TENURE_REDIS_BIN=FOLDER, with redis-server or valkey-server in it.
A Consul of your own: TENURE_CONSUL_BIN=FOLDER, with consul in it. Debian has it in the suite bullseye only.
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

# Consul 1.8 or newer.
find_consul() {
    local folder folders=("$(dirname "$(command -v consul || echo /)")" "$servers/consul/bin")
    [ -z "${TENURE_CONSUL_BIN:-}" ] || folders=("$TENURE_CONSUL_BIN")
    for folder in "${folders[@]}"; do
        [ -x "$folder/consul" ] || continue
        case $("$folder/consul" version 2>/dev/null | head -n 1) in
        *' v'1.[89].* | *' v'1.[1-9][0-9]*.* | *' v'[2-9].*)
            echo "consul: $folder/consul"
            return 0
            ;;
        esac
    done
    [ -z "${TENURE_CONSUL_BIN:-}" ] || die "no consul 1.8 or newer in TENURE_CONSUL_BIN=$TENURE_CONSUL_BIN"
    return 1
}

# One program that needs nothing else; newer suites of Debian have none.
make_consul() {
    suite=bullseye unpack consul
    wrap consul
}

# Downloads packages, and what they need that this system lacks, and unpacks them to $new/root.
# With $suite set, from that suite of the system's own Debian mirror, the packages alone.
unpack() { # package…
    local apt=$new/apt file options=(-qq -y --reinstall --download-only)
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
        [ -z "${suite:-}" ] || echo "Dir::Etc::sourcelist \"$apt/other.sources\"; Dir::Etc::sourceparts \"/dev/null\";"
        for file in /etc/apt/sources.list.d/{debian,ubuntu}.sources /etc/apt/sources.list; do
            [ -z "${suite:-}" ] || break
            grep -Eqs '^(Types:|deb )' "$file" || continue
            echo "Dir::Etc::sourcelist \"$file\"; Dir::Etc::sourceparts \"/dev/null\";"
            break
        done
    } >"$apt/conf"
    export APT_CONFIG=$apt/conf LC_ALL=C
    if [ -n "${suite:-}" ]; then
        other_suite "$suite" >"$apt/other.sources"
        cp /var/lib/dpkg/status "$apt/state/status"
        if ! apt-get -qq update >"$apt/log" 2>&1 ||
            ! (cd "$apt/cache/archives" && apt-get -qq download "$@") >>"$apt/log" 2>&1; then
            cat "$apt/log" >&2
            die "apt-get cannot fetch $* of $suite"
        fi
        unpack_archives
        return
    fi
    # The system's lists save time; they may be missing, or too old for what the mirrors have.
    if ! apt-get "${options[@]}" -o Dir::State::lists=/var/lib/apt/lists install "$@" >"$apt/log" 2>&1; then
        echo "$me: fetching package lists" >&2
        if ! apt-get -qq update >"$apt/log" 2>&1 || ! apt-get "${options[@]}" install "$@" >>"$apt/log" 2>&1; then
            cat "$apt/log" >&2
            die "apt-get cannot fetch $*"
        fi
    fi
    unpack_archives
}

unpack_archives() {
    local deb
    for deb in "$apt"/cache/archives/*.deb; do
        dpkg -x "$deb" "$new/root"
    done
    rm -rf "$apt" "$new/root/usr/share"
}

# A source of another suite at the mirror that this system's own Debian source names.
other_suite() { # suite
    local file uri='' key=''
    for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/*.sources; do
        [ -r "$file" ] || continue
        uri=$(awk 'BEGIN { RS = ""; FS = "\n" }
            { u = s = ""
              for (i = 1; i <= NF; i++) {
                  if ($i ~ /^URIs:/) { u = $i; sub(/^URIs:[ \t]*/, "", u) }
                  if ($i ~ /^Suites:/) s = $i
              }
              if (u != "" && s !~ /security/ && s ~ /(bookworm|bullseye|trixie|stable)/) { split(u, a, " "); print a[1]; exit }
            }' "$file")
        key=$(awk '/^Signed-By:/ { print $2; exit }' "$file")
        [ -z "$uri" ] || break
    done
    if [ -z "$uri" ] && [ -r /etc/apt/sources.list ]; then
        uri=$(awk '$1 == "deb" { i = 2; if ($2 ~ /^\[/) { while ($i !~ /\]$/) i++; i++ }
            if ($(i + 1) !~ /security/) { print $i; exit } }' /etc/apt/sources.list)
    fi
    [ -n "$uri" ] || die "no Debian source found on this system"
    [ -r "$key" ] || key=/usr/share/keyrings/debian-archive-keyring.gpg
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$uri" "$1" "$key"
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
redis | consul) ;;
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
    command -v $tool >/dev/null || die "no $1 found, and no $tool to fetch it with (not a Debian system?): install it yourself, see --help"
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
