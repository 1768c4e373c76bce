# Shell functions that ./verify and ./tenure share. Sourced; expects $root and $me (the name in messages).

die() {
    echo "$me: $*" >&2
    exit 1
}

# Sets $java, $java_version (17.0.15) and $java_major (17), or ends with one line.
find_java() {
    if [ -n "${JAVA_HOME:-}" ]; then
        java=$JAVA_HOME/bin/java
        [ -x "$java" ] || die "JAVA_HOME has no bin/java: $JAVA_HOME"
    else
        java=$(command -v java) || die "java not found: install JDK 17 or newer (Debian: apt-get install openjdk-17-jdk-headless) or set JAVA_HOME"
    fi
    local real release
    real=$(readlink -f "$java" 2>/dev/null) || real=$java
    release=${real%/bin/*}/release
    java_version=$(read_version "$release")
    # Some distributions ship no release file: ask the JVM, which takes longer.
    [ -n "$java_version" ] || java_version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
    java_major=$(major "$java_version")
    [ "$java_major" -ge 17 ] || die "Java 17 or newer needed, found ${java_version:-an unknown one} ($java): set JAVA_HOME"
}

# The version in a JDK's release file; nothing if there is none.
read_version() {
    local line
    [ -r "$1" ] || return 0
    while read -r line; do
        case $line in JAVA_VERSION=*)
            line=${line#JAVA_VERSION=}
            echo "${line//\"/}"
            return 0
            ;;
        esac
    done <"$1"
}

# 17.0.15 -> 17; 0 if it is no number.
major() {
    local number=${1%%[!0-9]*}
    echo "${number:-0}"
}

# The parts of a build beyond java.
need_javac() {
    [ -x "${java%/java}/javac" ] || die "javac not found beside $java: install a JDK, not only a JRE (Debian: apt-get install openjdk-17-jdk-headless) or set JAVA_HOME"
}

need_maven() {
    command -v mvn >/dev/null || die "mvn not found: install Maven 3.8 or newer (Debian: apt-get install maven)"
}

# One build at a time in this folder. The kernel lets go of the lock when its owner ends, however it ends.
# Without flock: a folder with the owner's pid in it.
lock_folder=$root/.tenure-build.lock
lock() { # exclusive | shared
    if command -v flock >/dev/null; then
        [ -n "${locked:-}" ] || exec 9<"$root/pom.xml"
        locked=yes
        local how=-x
        [ "$1" = exclusive ] || how=-s
        flock -n $how 9 && return 0
        echo "$me: waiting for another build in $root" >&2
        flock $how 9
    elif [ "$1" = exclusive ]; then
        until mkdir "$lock_folder" 2>/dev/null; do
            local owner
            owner=$(cat "$lock_folder/pid" 2>/dev/null || echo)
            [ -w "$root" ] || die "cannot write to $root"
            [ -z "$owner" ] || kill -0 "$owner" 2>/dev/null || rm -rf "$lock_folder"
            sleep 0.5
        done
        echo $$ >"$lock_folder/pid"
        trap 'rm -rf "$lock_folder"' EXIT
    else
        while [ -d "$lock_folder" ] && kill -0 "$(cat "$lock_folder/pid" 2>/dev/null || echo $$)" 2>/dev/null; do sleep 0.5; done
    fi
}

unlock() {
    if command -v flock >/dev/null; then
        exec 9<&-
        locked=
    elif [ "$(cat "$lock_folder/pid" 2>/dev/null)" = $$ ]; then
        rm -rf "$lock_folder"
    fi
}
