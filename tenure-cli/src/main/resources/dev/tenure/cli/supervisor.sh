# Carries signals to a process group, and ends the group when the pipe from tenure closes, however tenure ended.
# $1: the group; $2: tenths of a second between SIGTERM and SIGKILL at end of file.
# Each request is a signal's name, 0 to ask only; the answer says whether the group has members.
group=$1
tenths=$2
trap '' HUP INT QUIT TERM PIPE

signal() {
    kill -s "$1" -- "-$group" 2>/dev/null
}

tries=0
until signal 0; do
    tries=$((tries + 1))
    [ "$tries" -lt 500 ] || exit 1
    sleep 0.01
done
echo ready 2>/dev/null

while read -r request; do
    if signal "$request"; then
        echo alive 2>/dev/null
    else
        echo gone 2>/dev/null
    fi
done

signal TERM || exit 0
signal CONT
while [ "$tenths" -gt 0 ]; do
    signal 0 || exit 0
    sleep 0.1
    tenths=$((tenths - 1))
done
signal KILL
