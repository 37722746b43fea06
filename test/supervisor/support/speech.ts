/**
 * The child's side of the protocol for shell scripts, which start in a tenth of the time that Node takes. Defines `say`,
 * which sends one record, and `become_ready`.
 */
export const SPEECH = String.raw`
say() {
  printf '{"version":1,"launcher":"%s","attempt":"%s","pid":%s,"event":%s}\n' \
    "$WOODS_WATCH_LAUNCHER_TOKEN" "$WOODS_WATCH_ATTEMPT_TOKEN" $$ "$1" >&"$WOODS_WATCH_EVENT_FD"
}
become_ready() {
  say '"task_loaded","woods_version":"2.0.0"'
  say '"identity","root":"'"$PWD"'","index":"'"$CHILD_INDEX"'"'
  say '"backend_ready"'
  say '"startup","state":"ready","generation":1,"reason":"reconciled"'
}
`;

/** The command line of a shell script that can speak. */
export function speaking(script: string): readonly string[] {
  return ['sh', '-c', SPEECH + script];
}
