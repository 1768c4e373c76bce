# Waits for the supervisor of this process group, then becomes the command.
# $1: null, or keep for a command that goes on reading this pipe; then the command.
# End of file instead of a line: tenure ended before the command began.
read -r go || exit 75
stdin=$1
shift
if [ "$stdin" = null ]; then
    exec "$@" </dev/null
fi
exec "$@"
