# The child's side of the protocol in Ruby with nothing but its standard library, as a gem would speak it: descriptor 3 as
# a plain IO. With the file `asked` beside the index still missing it asks for one restart; then it stays until TERM.
require 'json'

index = ENV.fetch('CHILD_INDEX')
events = IO.for_fd(Integer(ENV.fetch('WOODS_WATCH_EVENT_FD')), 'w')
envelope = {
  version: 1,
  launcher: ENV.fetch('WOODS_WATCH_LAUNCHER_TOKEN'),
  attempt: ENV.fetch('WOODS_WATCH_ATTEMPT_TOKEN'),
  pid: Process.pid
}
say = lambda do |event|
  events.puts JSON.generate(envelope.merge(event))
  events.flush
end

stopped, stop = IO.pipe
trap('TERM') { stop.write_nonblock('.') }
say.call(event: 'task_loaded', woods_version: '2.0.0')
say.call(event: 'identity', root: Dir.pwd, index: index)
say.call(event: 'backend_ready')
say.call(event: 'startup', state: 'ready', generation: 1, reason: 'reconciled')
unless File.exist?("#{index}/asked")
  File.write("#{index}/asked", '')
  say.call(event: 'terminal', reason: 'restart_required')
  exit 75
end
stopped.read(1)
File.write("#{index}/stopped", '')
say.call(event: 'terminal', reason: 'stopped')
