import { asRoot, onHost, type Probe } from "../support/probe.ts"

const NO_FAMILY = /socket: Operation not permitted/

/** Ways to reach anybody by a socket. The host's own servers count who came. */
export const networkProbes: readonly Probe[] = [
  {
    name: "abstract unix sock",
    script: '"$PROBE" unix "@$ABSTRACT"',
    says: NO_FAMILY,
    control: onHost,
  },
  {
    name: "pathname unix sock (docker.sock)",
    script: '"$PROBE" unix "$OUT/run/docker.sock"',
    says: NO_FAMILY,
    control: onHost,
  },
  {
    name: "unix sock inside root",
    script: '"$PROBE" unix "$ROOT/agent.sock"',
    says: NO_FAMILY,
    control: onHost,
  },
  {
    name: "unix datagram by socketpair + connect",
    script: '"$PROBE" unix-pair datagram "$OUT/run/datagram.sock"',
    says: /socketpair: Operation not permitted/,
    control: onHost,
  },
  {
    name: "a connected pair connected anew (own)",
    script:
      '"$PROBE" unix-pair packets "$OUT/run/packets.sock"; "$PROBE" unix-pair stream "$OUT/run/docker.sock"',
    says: /^(connect: .*endpoint is already connected\nconnect again: .*already connected\n){2}$/m,
    control: {
      in: "host",
      script: '"$PROBE" unix-packets "$OUT/run/packets.sock" || echo "visited"',
      says: /visited/,
    },
  },
  {
    name: "loopback tcp host",
    script: '"$PROBE" tcp "$TCP_PORT"',
    says: /connect: Connection refused/,
    control: onHost,
  },
  {
    name: "loopback udp host",
    script: '"$PROBE" udp "$UDP_PORT"',
    says: /(recv|send|connect): /,
    control: onHost,
  },
  {
    name: "dns getent",
    script:
      'timeout 5 getent hosts leak.harness.invalid && echo ESCAPED; echo "routes $(tail -n +2 /proc/net/route | wc -l)"',
    says: /^routes 0$/m,
    // A resolver of its own says that there is such a name.
    control: {
      in: "namespace",
      script:
        'echo nameserver 127.0.0.1 > "$TMPDIR/resolver"; mount --bind "$TMPDIR/resolver" "$(realpath /etc/resolv.conf)"; "$PROBE" resolver & sleep 0.3; timeout 5 getent hosts leak.harness.invalid && echo ESCAPED; kill "$!"; rm -f "$TMPDIR/resolver"',
    },
  },
  { name: "AF_PACKET", script: '"$PROBE" family 17 3 0', says: NO_FAMILY, control: asRoot },
  {
    name: "AF_VSOCK",
    script: '"$PROBE" family 40 1 0',
    says: NO_FAMILY,
    control: { in: "host", shut: /not supported/ },
  },
  {
    name: "AF_ALG",
    script: '"$PROBE" family 38 5 0',
    says: NO_FAMILY,
    control: { in: "host", shut: /not supported/ },
  },
]
