#!/usr/bin/env bash
# Checks the compiler gates themselves: every source in build/canaries must be refused by the build,
# with the message that its first line names. They are built as modules of the root pom under target/canary.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$root/target/canary
rm -rf "$work"
mkdir -p "$work"

# $1 artifact, $2 packaging, $3 path of the root pom, $4 rest of the pom
pom() {
    cat <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>dev.tenure</groupId>
    <artifactId>tenure-parent</artifactId>
    <version>\${revision}</version>
    <relativePath>$3</relativePath>
  </parent>
  <artifactId>$1</artifactId>
  <packaging>$2</packaging>
  $4
</project>
XML
}

modules=
for source in "$root"/build/canaries/*.java; do
    name=$(basename "$source" .java)
    folder=$work/$name/src/main/java/dev/tenure/canary
    mkdir -p "$folder"
    cp "$source" "$folder/"
    skip=true
    case $name in Clean | Unformatted) skip=false ;; esac
    pom "canary-$name" jar ../../../pom.xml "
  <properties>
    <spotless.check.skip>$skip</spotless.check.skip>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.jspecify</groupId>
      <artifactId>jspecify</artifactId>
    </dependency>
  </dependencies>" >"$work/$name/pom.xml"
    modules="$modules<module>$name</module>"
done
pom canary pom ../../pom.xml "<modules>$modules</modules>" >"$work/pom.xml"

# One run for all; the failures are what is wanted.
(cd "$root" && mvn -B -ntp -fae -Dstyle.color=never -f "$work/pom.xml" compile) >"$work/log" 2>&1 || true

failed=0
for source in "$root"/build/canaries/*.java; do
    name=$(basename "$source" .java)
    expected=$(sed -n '1s,^// expect: ,,p' "$source")
    # What Maven printed between this module's header and the next one, and how the module ended.
    said=$(awk -v name="canary-$name" '
        /^\[INFO\] -+< / { own = index($0, ":" name " >") > 0 }
        own { print }
        index($0, "on project " name ":") { print }' "$work/log")
    ended=$(sed -n "s/^\[INFO\] canary-$name \.\.* \([A-Z]*\).*/\1/p" "$work/log")
    if [ "$expected" = success ]; then
        [ "$ended" = SUCCESS ] && verdict=passed || verdict=
    elif [ "$ended" = FAILURE ] && grep -qF -- "$expected" <<<"$said"; then
        verdict=refused
    else
        verdict=
    fi
    if [ -n "$verdict" ]; then
        printf '  %-16s %s\n' "$name" "$verdict"
    else
        printf '  %-16s WRONG: wanted "%s", the module ended with "%s"\n' "$name" "$expected" "${ended:-nothing}"
        failed=1
    fi
done
if [ $failed -ne 0 ]; then
    tail -n 60 "$work/log"
    echo "canary: a gate is broken; full log: $work/log" >&2
    exit 1
fi
rm -rf "$work"
