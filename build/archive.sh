#!/usr/bin/env bash
# Makes a class data archive beside the command's jar, so that the command starts faster on that JVM.
# usage: archive.sh JAVA JAR ARCHIVE      Never fails: without an archive the command runs just as well.
set -u
java=$1 jar=$2 archive=$3
options=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC)
# Runs whose classes go into the archive: harmless, and as typical as can be.
typical=(--help)

list=$archive.classes new=$archive.new
rm -f "${archive%-*}"-*.jsa
{
    "$java" "${options[@]}" -XX:DumpLoadedClassList="$list" -jar "$jar" "${typical[@]}" &&
        "$java" "${options[@]}" -Xshare:dump -XX:SharedClassListFile="$list" -XX:SharedArchiveFile="$new" -cp "$jar" &&
        mv -f "$new" "$archive"
} >/dev/null 2>&1 </dev/null
rm -f "$list" "$new"
exit 0
