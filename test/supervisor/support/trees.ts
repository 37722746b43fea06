/**
 * Process trees as shell scripts. Each writes the line `up` to stdout once all its processes are there, which is what a
 * test waits for.
 */
export const TREES = {
  plain: 'sleep 1000 & echo up; wait',
  'ignores TERM': `trap '' TERM; sleep 1000 & echo up; wait; wait`,
  'a grandchild ignores TERM while the leader obeys': `(trap '' TERM; exec sleep 1000) & echo up; wait`,
  'has escaped with setsid': 'setsid sleep 1000 & sleep 1000 & echo up; wait',
  'has escaped with setsid and ignores TERM': `(trap '' TERM; exec setsid sleep 1000) & echo up; wait`,
  'has forked twice and left': '(setsid sh -c "sleep 1000 & sleep 1001 &" &) ; echo up; sleep 1000',
  'is stopped': 'sleep 1000 & kill -STOP $!; echo up; wait',
} as const;
