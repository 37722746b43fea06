#!/bin/sh
# The guardian of a woods-watch: ends the process tree of a supervisor that died without ending it itself.
#
#   woods-guardian.sh GRACE SINCE SOCKETS
#
# GRACE    hundredths of a second from TERM to KILL
# SINCE    start of the supervisor in clock ticks since boot: nothing older can be its child (0: not known)
# SOCKETS  directory of the event sockets, removed with the tree ('' for none)
#
# stdin is a pipe that only the supervisor writes; its end means that the supervisor is gone. One command a line, each
# acknowledged on stdout by its first two words:
#   arm TOKEN            from now on, what carries TOKEN in its environment has to go
#   register PID START   the leader of the tree's process group, and its start in clock ticks ('' when not known)
#   release              the tree is gone; nothing has to go
#
# It needs a POSIX shell, /proc where there is one, sleep, and grep only for speed. Everything is read before anything
# runs, so that an upgrade that replaces this file cannot change a guardian that is up.

# Nothing but KILL ends a guardian, whatever a terminal or an impatient user sends to the session's processes.
trap '' HUP INT QUIT TERM USR1 USR2 PIPE ALRM TSTP TTIN TTOU

# stat_of PID: sets state, parent, group and start; fails when there is no such process. The name in the second field
# may hold blanks, brackets and newlines, so all lines are read and the fields are counted from the last bracket.
stat_of() {
  line=
  { while IFS= read -r part || [ -n "$part" ]; do line=$line$part; done <"/proc/$1/stat"; } 2>/dev/null || return 1
  case $line in *') '*) ;; *) return 1 ;; esac
  set -- ${line##*') '}
  [ $# -ge 20 ] || return 1
  state=$1 parent=$2 group=$3 start=${20}
}

# is_dead: whether the process that stat_of found has ended and only waits to be reaped.
is_dead() {
  [ "$state" = Z ] || [ "$state" = X ]
}

# is_process PID START: whether that very process, not a later one of the same number, is alive.
is_process() {
  stat_of "$1" && [ "$start" = "$2" ] && ! is_dead
}

# Our own line of descent is never signalled, whatever its environment says.
protect() {
  protected=' 1 '
  ancestor=$$
  while [ "$ancestor" -gt 1 ] 2>/dev/null; do
    protected="$protected$ancestor "
    stat_of "$ancestor" || return 0
    ancestor=$parent
  done
}

# mark PID START: this process has to go, once.
mark() {
  case $protected in *" $1 "*) return 0 ;; esac
  case $marked in *" $1:$2 "*) return 0 ;; esac
  marked="$marked$1:$2 "
}

# The group is ours as long as its leader is the process that was registered. A leader that has ended leaves its number
# to the group alone, until the last member is gone.
group_is_ours() {
  [ -n "$pgid" ] || return 1
  [ -n "$proc" ] || return 0
  stat_of "$pgid" || return 0
  [ -z "$leader_start" ] || [ "$start" = "$leader_start" ]
}

# Members seen last are looked at first: one that lives answers the question without a walk over all processes.
group_is_empty() {
  kill -0 "-$pgid" 2>/dev/null || return 0
  [ -n "$proc" ] || return 1
  for member in $members; do
    if stat_of "$member" && [ "$group" = "$pgid" ] && ! is_dead; then return 1; fi
  done
  members=
  for directory in /proc/[0-9]*; do
    stat_of "${directory#/proc/}" || continue
    [ "$group" = "$pgid" ] || continue
    is_dead || members="$members ${directory#/proc/}"
  done
  [ -z "$members" ]
}

# Marks every living descendant of the leader outside its group. Asked before a signal: once a parent has ended, its
# children are adopted and their descent can no longer be seen.
mark_descendants() {
  [ -n "$proc" ] || return 0
  everyone=
  for directory in /proc/[0-9]*; do
    stat_of "${directory#/proc/}" || continue
    everyone="$everyone${directory#/proc/}:$parent:$group:$start "
  done
  family=" $pgid "
  grown=yes
  while [ -n "$grown" ]; do
    grown=
    for entry in $everyone; do
      pid=${entry%%:*}
      case $family in *" $pid "*) continue ;; esac
      rest=${entry#*:}
      case $family in *" ${rest%%:*} "*) ;; *) continue ;; esac
      family="$family$pid "
      grown=yes
      rest=${rest#*:}
      [ "${rest%%:*}" = "$pgid" ] || mark "$pid" "${rest#*:}"
    done
  done
}

# Marks every living process that carries the token, as its own or as that of the attempt around a nested supervisor. A
# value may hold newlines, so an environment is read to its end.
mark_token() {
  [ -n "$proc" ] || return 0
  carries="WOODS_WATCH_ATTEMPT_TOKEN=$token"
  within="WOODS_WATCH_OUTER_ATTEMPT_$token=1"
  if [ "$({ printf 'a\0b c\0' | grep -czxF 'b c'; } 2>/dev/null)" = 1 ]; then
    for file in $(grep -lzxF -e "$carries" -e "$within" /proc/[0-9]*/environ 2>/dev/null); do
      pid=${file#/proc/}
      pid=${pid%/environ}
      stat_of "$pid" && ! is_dead && mark "$pid" "$start"
    done
    return 0
  fi
  for directory in /proc/[0-9]*; do
    pid=${directory#/proc/}
    stat_of "$pid" || continue
    [ "$start" -ge "$since" ] || continue
    is_dead && continue
    born=$start
    if { while IFS= read -r part || [ -n "$part" ]; do
      case $part in *"$carries"* | *"$within"*) break ;; esac
      part=
    done <"/proc/$pid/environ"; } 2>/dev/null && [ -n "$part" ]; then
      mark "$pid" "$born"
    fi
  done
}

# Drops from the marked ones those that are gone. Fails while one is left.
marked_are_gone() {
  remaining=' '
  for entry in $marked; do
    is_process "${entry%%:*}" "${entry#*:}" && remaining="$remaining$entry "
  done
  marked=$remaining
  [ "$marked" = ' ' ]
}

signal_marked() {
  for entry in $marked; do
    is_process "${entry%%:*}" "${entry#*:}" && kill "-$1" "${entry%%:*}" 2>/dev/null
  done
}

# now: sets hundredths of a second since boot; fails where nothing tells.
now() {
  { IFS='. ' read -r seconds hundredths _ </proc/uptime; } 2>/dev/null || return 1
  hundredths=${hundredths#0}
  now=$((seconds * 100 + hundredths))
}

nap() {
  sleep 0.02 2>/dev/null || sleep 1
}

# wait_until CONDITION HUNDREDTHS: fails when the time is over. A step that took unlike long means that we were stopped
# or the machine slept, and counts as a short one.
wait_until() {
  waited=0
  now && before=$now || before=
  until "$1"; do
    [ "$waited" -lt "$2" ] || return 1
    nap
    passed=2
    if [ -n "$before" ] && now; then
      passed=$((now - before))
      [ "$passed" -le 50 ] || passed=50
      before=$now
    fi
    waited=$((waited + passed))
  done
}

stop_group() {
  mark_descendants
  kill -CONT "-$pgid" 2>/dev/null
  kill -TERM "-$pgid" 2>/dev/null
  spent=$grace
  if wait_until group_is_empty "$grace"; then
    spent=$waited
    return 0
  fi
  mark_descendants
  kill -KILL "-$pgid" 2>/dev/null
  wait_until group_is_empty 200
}

# What left the group gets its own TERM and what the group left of the grace, but never less than a moment.
stop_escapees() {
  patience=$((grace - $1))
  [ "$patience" -ge 15 ] || patience=15
  mark_token
  marked_are_gone && return 0
  signal_marked CONT
  signal_marked TERM
  wait_until marked_are_gone "$patience"
  round=0
  while [ "$round" -lt 20 ]; do
    mark_token
    marked_are_gone && return 0
    signal_marked KILL
    round=$((round + 1))
    nap
  done
}

stop_tree() {
  [ -n "$token" ] || return 0
  marked=' '
  members=
  protect
  if group_is_ours && ! group_is_empty; then
    stop_group
    stop_escapees "$spent"
  else
    stop_escapees 0
  fi
}

remove_sockets() {
  case $sockets in /tmp/woods-events-*) rm -rf -- "$sockets" 2>/dev/null ;; esac
}

main() {
  grace=$1 since=$2 sockets=$3
  token= pgid= leader_start= proc=
  [ -r /proc/self/stat ] && proc=yes
  while IFS=' ' read -r command first second _; do
    case $command in
      arm) token=$first pgid= leader_start= ;;
      register) case $first in '' | *[!0-9]* | 0 | 1) ;; *) pgid=$first leader_start=$second ;; esac ;;
      release) token= pgid= leader_start= ;;
    esac
    printf '%s %s\n' "$command" "$first" 2>/dev/null
  done
  stop_tree
  remove_sockets
}

main "$@"
exit
