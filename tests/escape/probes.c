// The probes that a shell cannot make. Each prints ESCAPED when it got through, or what the kernel
// said. None changes anything on the way: they only ask.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <ftw.h>
#include <net/if.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int told(const char *step, long result) {
  if (result >= 0) puts("ESCAPED");
  else printf("%s: %s\n", step, strerror(errno));
  fflush(stdout);
  return result >= 0 ? 0 : 1;
}

// Namespaces and mounts.

static int clone3_user(void) {
  struct { uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls; } args;
  memset(&args, 0, sizeof args);
  args.flags = CLONE_NEWUSER;
  args.exit_signal = SIGCHLD;
  long child = syscall(SYS_clone3, &args, sizeof args);
  if (child == 0) _exit(0);
  return told("clone3", child);
}

static int setns_own(void) { return told("setns", setns(open("/proc/self/ns/mnt", O_RDONLY), CLONE_NEWNS)); }

static int by_handle(void) {
  struct { struct file_handle head; unsigned char bytes[128]; } handle;
  int mount;
  handle.head.handle_bytes = sizeof handle.bytes;
  if (name_to_handle_at(AT_FDCWD, ".", &handle.head, &mount, 0) < 0) return told("name_to_handle_at", -1);
  return told("open_by_handle_at", open_by_handle_at(open(".", O_RDONLY), &handle.head, O_RDONLY));
}

#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
static int open_tree_here(void) { return told("open_tree", syscall(SYS_open_tree, AT_FDCWD, ".", 1)); }

// Other processes.

static int trace(pid_t pid) {
  long result = ptrace(PTRACE_SEIZE, pid, 0, 0);
  return told("ptrace", result);
}

static int trace_me(void) { return told("ptrace", ptrace(PTRACE_TRACEME, 0, 0, 0)); }

static int read_memory(void) {
  char from[4] = "abc", to[4];
  struct iovec local = {to, 4}, remote = {from, 4};
  return told("process_vm_readv", process_vm_readv(getpid(), &local, 1, &remote, 1, 0));
}

static int take_descriptor(void) {
  int process = syscall(SYS_pidfd_open, getpid(), 0);
  return told("pidfd_getfd", syscall(SYS_pidfd_getfd, process, 1, 0));
}

static int shared_memory(int key) { return told("shmget", shmget(key, 0, 0)); }

// Sockets.

static int answered(const char *step, int socket) {
  char reply[8];
  struct timeval patience = {0, 300000};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return told(step, recv(socket, reply, sizeof reply, 0));
}

static socklen_t unix_address(struct sockaddr_un *address, const char *name) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  strncpy(address->sun_path, name, sizeof address->sun_path - 1);
  if (name[0] == '@') address->sun_path[0] = 0;
  return offsetof(struct sockaddr_un, sun_path) + strlen(name) + (name[0] == '@' ? 0 : 1);
}

static int unix_connect(int type, const char *name) {
  struct sockaddr_un address;
  int made = socket(AF_UNIX, type, 0);
  if (made < 0) return told("socket", -1);
  if (connect(made, (struct sockaddr *)&address, unix_address(&address, name)) < 0) return told("connect", -1);
  return answered("recv", made);
}

static int type_named(const char *name) {
  if (strcmp(name, "datagram") == 0) return SOCK_DGRAM;
  return strcmp(name, "packets") == 0 ? SOCK_SEQPACKET : SOCK_STREAM;
}

// A pair that is connected to itself may be connected to a path after all, or send there.
static int unix_pair(int type, const char *name) {
  struct sockaddr_un address;
  socklen_t size = unix_address(&address, name);
  int pair[2];
  if (socketpair(AF_UNIX, type, 0, pair) < 0) return told("socketpair", -1);
  if (connect(pair[0], (struct sockaddr *)&address, size) < 0) {
    told("connect", -1);
    sendto(pair[0], "x", 1, 0, (struct sockaddr *)&address, size);
    close(pair[1]);
    return told("connect again", connect(pair[0], (struct sockaddr *)&address, size));
  }
  return told("send", send(pair[0], "x", 1, 0));
}

// Says that it listens, and each time that somebody came.
static int serve_unix(int type, const char *name) {
  struct sockaddr_un address;
  char message[8];
  int made = socket(AF_UNIX, type, 0);
  if (bind(made, (struct sockaddr *)&address, unix_address(&address, name)) < 0) return told("bind", -1);
  if (type != SOCK_DGRAM && listen(made, 8) < 0) return told("listen", -1);
  chmod(name, 0777);
  puts("ready");
  fflush(stdout);
  while ((type == SOCK_DGRAM ? recv(made, message, sizeof message, 0) : accept(made, 0, 0)) > 0) {
    puts("visit");
    fflush(stdout);
  }
  return 0;
}

static int internet(int type, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  int made = socket(AF_INET, type, 0);
  if (made < 0) return told("socket", -1);
  if (connect(made, (struct sockaddr *)&address, sizeof address) < 0) return told("connect", -1);
  if (send(made, "x", 1, 0) < 0) return told("send", -1);
  return answered("recv", made);
}

static int family(int family, int type, int protocol) { return told("socket", socket(family, type, protocol)); }

// The kernel's own doors.

static int ring(void) {
  struct io_uring_params params;
  memset(&params, 0, sizeof params);
  return told("io_uring_setup", syscall(SYS_io_uring_setup, 8, &params));
}

static int type_into_terminal(void) {
  int master, slave;
  if (openpty(&master, &slave, 0, 0, 0) < 0) return told("openpty", -1);
  pid_t child = fork();
  if (child == 0) {
    setsid();
    ioctl(slave, TIOCSCTTY, 0);
    _exit(told("TIOCSTI", ioctl(slave, TIOCSTI, "x")));
  }
  return waitpid(child, 0, 0) < 0;
}

static int keys(void) {
  return told("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1));
}

static int bpf_map(void) {
  union bpf_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.map_type = BPF_MAP_TYPE_ARRAY;
  attr.key_size = 4;
  attr.value_size = 4;
  attr.max_entries = 1;
  return told("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof attr));
}

static int counter(void) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.type = PERF_TYPE_SOFTWARE;
  attr.size = sizeof attr;
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  attr.exclude_kernel = 1;
  return told("perf_event_open", syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
}

static int page_faults(void) { return told("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC | 1)); }

static int open_to_write(const char *path) { return told("open", open(path, O_WRONLY)); }

static int writable;
static int count_writable(const char *path, const struct stat *status, int type, struct FTW *at) {
  (void)at;
  if (type != FTW_F || !S_ISREG(status->st_mode)) return 0;
  int opened = open(path, O_WRONLY | O_NONBLOCK);
  if (opened >= 0) {
    writable += 1;
    fprintf(stderr, "%s\n", path);
    close(opened);
  }
  return 0;
}

static int writable_below(const char *folder) {
  nftw(folder, count_writable, 16, FTW_PHYS);
  printf("%d writable\n", writable);
  return 0;
}

static int host_name(void) {
  char name[256];
  gethostname(name, sizeof name);
  return told("sethostname", sethostname(name, strlen(name)));
}

// A map of one's own user, in a namespace that one has just made.
static int own_map(void) {
  char line[32];
  int length = snprintf(line, sizeof line, "0 %d 1\n", (int)geteuid());
  if (unshare(CLONE_NEWUSER) < 0) return told("unshare", -1);
  int map = open("/proc/self/uid_map", O_WRONLY);
  return told("uid_map", map < 0 ? -1 : write(map, line, length));
}

// Brings the loopback up, and tells whoever asks for a name that it is 127.0.0.1.
static int resolver(void) {
  unsigned char message[512];
  static const unsigned char answer[] = {0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 127, 0, 0, 1};
  struct ifreq loopback = {.ifr_name = "lo"};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(53)}, from;
  int made = socket(AF_INET, SOCK_DGRAM, 0);
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  loopback.ifr_flags = IFF_UP;
  if (ioctl(made, SIOCSIFFLAGS, &loopback) < 0) return told("SIOCSIFFLAGS", -1);
  if (bind(made, (struct sockaddr *)&address, sizeof address) < 0) return told("bind", -1);
  for (;;) {
    socklen_t size = sizeof from;
    int length = recvfrom(made, message, sizeof message - sizeof answer, 0, (struct sockaddr *)&from, &size);
    if (length < 16) continue;
    // One question, whose type stands behind its name; only IPv4 addresses are known.
    int end = 12;
    while (end < length && message[end] != 0) end += message[end] + 1;
    int known = message[end + 2] == 1;
    message[2] = 0x81, message[3] = 0x80, message[7] = known, message[11] = 0;
    if (known) memcpy(message + end + 5, answer, sizeof answer);
    sendto(made, message, end + 5 + (known ? sizeof answer : 0), 0, (struct sockaddr *)&from, size);
  }
}

// The same calls by other doors.

static int other_interface(void) {
#ifdef __x86_64__
  return told("x32", syscall(0x40000000 | SYS_getpid));
#else
  puts("x32: there is none here");
  return 1;
#endif
}

static int old_interrupt(void) {
#ifdef __x86_64__
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
  errno = -result;
  return told("int 0x80", result < 0 ? -1 : 0);
#else
  puts("int 0x80: there is none here");
  return 1;
#endif
}

static int from_memory(const char *path) {
  char line[4200];
  int file = memfd_create("x", 0);
  int length = snprintf(line, sizeof line, "#!/bin/sh\necho x > '%s'\n", path);
  if (file < 0 || write(file, line, length) != length) return told("memfd_create", -1);
  char *argv[] = {"x", 0}, *envp[] = {0};
  return told("fexecve", fexecve(file, argv, envp));
}

// Puts one in the place of the other and back, as fast as it can.
static int swap(const char *one, const char *other) {
  puts("ready");
  fflush(stdout);
  for (;;) {
    if (renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) < 0) return told("renameat2", -1);
    usleep(100);
  }
}

static int keep_root_bit(const char *path) {
  int file = open(path, O_CREAT | O_RDWR, 0755);
  return told("fchmod", fchmod(file, 04755));
}

static int make_with_root_bit(const char *path) { return told("open", open(path, O_CREAT | O_RDWR, 04755)); }

#define NUMBER(index) (argc > (index) ? atoi(argv[index]) : 0)
#define TEXT(index) (argc > (index) ? argv[index] : "")
#define IS(name) if (strcmp(TEXT(1), name) == 0)

int main(int argc, char **argv) {
  IS("clone3") return clone3_user();
  IS("setns") return setns_own();
  IS("handle") return by_handle();
  IS("open-tree") return open_tree_here();
  IS("ptrace") return trace(NUMBER(2));
  IS("traceme") return trace_me();
  IS("vm-read") return read_memory();
  IS("pidfd-getfd") return take_descriptor();
  IS("shm") return shared_memory(NUMBER(2));
  IS("unix") return unix_connect(SOCK_STREAM, TEXT(2));
  IS("unix-packets") return unix_connect(SOCK_SEQPACKET, TEXT(2));
  IS("unix-pair") return unix_pair(type_named(TEXT(2)), TEXT(3));
  IS("serve") return serve_unix(type_named(TEXT(2)), TEXT(3));
  IS("tcp") return internet(SOCK_STREAM, NUMBER(2));
  IS("udp") return internet(SOCK_DGRAM, NUMBER(2));
  IS("family") return family(NUMBER(2), NUMBER(3), NUMBER(4));
  IS("io-uring") return ring();
  IS("tiocsti") return type_into_terminal();
  IS("keyctl") return keys();
  IS("bpf") return bpf_map();
  IS("perf") return counter();
  IS("userfaultfd") return page_faults();
  IS("open") return open_to_write(TEXT(2));
  IS("writable") return writable_below(TEXT(2));
  IS("hostname") return host_name();
  IS("uid-map") return own_map();
  IS("resolver") return resolver();
  IS("x32") return other_interface();
  IS("int80") return old_interrupt();
  IS("swap") return swap(TEXT(2), TEXT(3));
  IS("memfd") return from_memory(TEXT(2));
  IS("fchmod-suid") return keep_root_bit(TEXT(2));
  IS("open-suid") return make_with_root_bit(TEXT(2));
  fprintf(stderr, "no probe %s\n", TEXT(1));
  return 2;
}
