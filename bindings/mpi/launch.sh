#!/usr/bin/env bash
# launch.sh RANKS [--hostfile FILE] COMMAND [ARGUMENT...]: starts a command on some ranks, on this machine or on those of
# a host file, which find the command at the same path. What is set here is for Open MPI; other launchers pass it over.
set -euo pipefail

refuse() {
    printf 'launch.sh: %s; it must be RANKS [--hostfile FILE] COMMAND [ARGUMENT...]\n' "$1" >&2
    exit 2
}

ranks=${1-}
[[ $ranks =~ ^[1-9][0-9]{0,3}$ ]] || refuse "RANKS is ${ranks:-missing}"
shift
on_hosts=()
if [ "${1-}" = --hostfile ]; then
    [ $# -ge 2 ] || refuse '--hostfile is the last word'
    on_hosts=(--hostfile "$2")
    shift 2
fi
[ $# -ge 1 ] || refuse 'COMMAND is missing'

# A container has no other user than root.
if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
if [ ${#on_hosts[@]} -eq 0 ]; then
    export OMPI_MCA_rmaps_base_oversubscribe=1
    # Ranks that wait in a loop would keep the core from the one that they wait for, or from another program.
    export OMPI_MCA_mpi_yield_when_idle=1
    # A command that refuses its options has said why, and leaves by itself on all ranks.
    export OMPI_MCA_orte_abort_non_zero_exit=0 OMPI_MCA_orte_execute_quiet=1
fi

# In the background, so that this script hears a signal while it waits, and hands it on.
mpirun -np "$ranks" "${on_hosts[@]}" "$@" <&0 &
launched=$!
trap 'kill -TERM "$launched" 2>/dev/null' TERM INT
status=0
wait "$launched" || status=$?
if [ "$status" -gt 2 ]; then
    printf "launch.sh: a rank has ended by itself or by a signal: mpirun's exit status is %d\n" "$status" >&2
fi
exit "$status"
