import { inNamespace, onHost, type Probe } from "../support/probe.ts"

/** Its shell has ended, and it has not. */
function outlives(command: string): string {
  const start = `pid=$(sh -c "${command} > /dev/null 2>&1 & echo \\$!")`
  return `${start}; sleep 0.1; kill -0 "$pid" && echo ESCAPED; kill -9 "$pid"`
}

/** Ways to reach other processes, or to outlive the command. */
export const processProbes: readonly Probe[] = [
  {
    name: "kill host pid",
    script: 'kill -9 "$HOST_PID" && echo ESCAPED',
    says: /No such process/,
    control: { in: "host", script: 'sleep 60 & kill -9 "$!" && echo ESCAPED' },
  },
  {
    name: "kill -1",
    // Only where the first process is that of a namespace: on a host it would end the host.
    script: 'case $(cat /proc/1/comm) in bwrap | sh) kill -9 -1 ;; esac; echo "after it"',
    says: /after it/,
    alone: true,
    control: {
      in: "namespace",
      script:
        'sleep 60 & case $(cat /proc/1/comm) in sh) kill -9 -1; wait "$!" || echo ESCAPED ;; esac',
    },
  },
  {
    name: "ptrace host",
    script: '"$PROBE" ptrace "$HOST_PID"',
    says: /ptrace: Operation not permitted/,
    control: { in: "root" },
  },
  {
    name: "ptrace self child (debuggers)",
    script: '"$PROBE" traceme',
    says: /ptrace: Operation not permitted/,
    control: onHost,
  },
  {
    name: "process_vm_readv",
    script: '"$PROBE" vm-read',
    says: /process_vm_readv: Operation not permitted/,
    control: onHost,
  },
  {
    name: "pidfd_getfd (own)",
    script: '"$PROBE" pidfd-getfd',
    says: /pidfd_getfd: Operation not permitted/,
    control: onHost,
  },
  {
    name: "parent environ (all /proc/*/environ)",
    script:
      'for each in /proc/[0-9]*/environ; do tr "\\0" "\\n" < "$each" 2> /dev/null | grep -q "^HARNESS_FAKE_KEY=" && echo ESCAPED; done; echo looked',
    says: /looked/,
    control: onHost,
  },
  {
    name: "the first process is contained too (own)",
    script:
      'grep -hE "^(CapEff:.*[1-9a-f]|Seccomp:.[^2]|NoNewPrivs:.0)" /proc/[0-9]*/status 2> /dev/null | grep -q . && echo ESCAPED; echo looked',
    says: /^looked$/m,
    control: onHost,
  },
  {
    name: "inherited fds",
    script:
      'for each in /proc/self/fd/*; do case $(readlink "$each") in "" | /proc/* | /dev/null | pipe:* | socket:*) ;; *) echo "ESCAPED $each" ;; esac; done; ls /proc/self/fd | wc -l',
    says: /^[45]$/m,
    control: {
      in: "host",
      script:
        'exec 7< "$OUT/victim.txt"; for each in /proc/self/fd/*; do case $(readlink "$each") in "$OUT"/*) echo ESCAPED ;; esac; done',
    },
  },
  {
    name: "many procs 200",
    script:
      'for each in $(seq 200); do sleep 5 & started=$((started + 1)); done; echo "allowed $started"; kill 0',
    says: /allowed 200/,
    outcome: "allowed",
    control: {
      in: "host",
      script:
        'for each in $(seq 200); do sleep 1 & started=$((started + 1)); done; wait; echo "allowed $started"',
      says: /allowed 200/,
    },
  },
  {
    name: "setsid daemon",
    script: "setsid sleep 77.7 > /dev/null 2>&1 & sleep 0.1; echo started",
    says: /started/,
    control: { in: "host", script: outlives("setsid sleep 60") },
  },
  {
    name: "double fork nohup",
    script: "(nohup sleep 77.8 > /dev/null 2>&1 &); sleep 0.1; echo started",
    says: /started/,
    control: { in: "host", script: outlives("nohup sleep 60") },
  },
  {
    name: "shared memory of the host (own)",
    script: '"$PROBE" shm "$SHM_KEY"',
    says: /shmget: No such file/,
    control: onHost,
  },
  {
    name: "nested bwrap",
    script: "bwrap --dev-bind / / true && echo ESCAPED",
    says: /bwrap: /,
    control: onHost,
  },
  {
    name: "nsenter 1",
    script: "nsenter -t 1 -m true && echo ESCAPED",
    says: /nsenter: /,
    control: inNamespace,
  },
]
